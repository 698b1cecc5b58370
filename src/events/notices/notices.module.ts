import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BlogModule } from '../../blog/core/blog.module.js';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { UserModule } from '../../user/user.module.js';
import { MailModule } from '../mail/mail.module.js';
import { NoticeDigest } from './mails/notice-digest.job.js';
import { NoticeMails } from './mails/notice-mails.service.js';
import { NoticeMaker } from './making/notice-maker.service.js';
import { NoticeWords } from './notice-words.service.js';
import { NoticesController } from './notices.controller.js';
import { NoticesService } from './notices.service.js';
import { NoticeState, NoticeStateSchema } from './store/notice-state.schema.js';
import { NoticeStore } from './store/notice-store.service.js';
import { Notice, NoticeSchema } from './store/notice.schema.js';
import { NoticeStreams } from './stream/notice-streams.service.js';
import { NoticeWaysController } from './ways/notice-ways.controller.js';
import { NoticeWaysService } from './ways/notice-ways.service.js';

/** Tells people what has happened that concerns them: in the desk, by mails, and in a digest. */
@Module({
  imports: [
    BlogModule,
    MailModule,
    UserModule,
    BackgroundModule,
    MongooseModule.forFeature([
      { name: Notice.name, schema: NoticeSchema },
      { name: NoticeState.name, schema: NoticeStateSchema },
    ]),
  ],
  controllers: [NoticesController, NoticeWaysController],
  providers: [
    NoticesService,
    NoticeWaysService,
    NoticeMaker,
    NoticeMails,
    NoticeDigest,
    NoticeStore,
    NoticeStreams,
    NoticeWords,
  ],
  exports: [NoticeMaker, NoticeStore],
})
export class NoticesModule {}
