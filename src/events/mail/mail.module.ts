import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { KeysModule } from '../../auth/keys/keys.module.js';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { UserModule } from '../../user/user.module.js';
import { MailController } from './mail.controller.js';
import { MailService } from './mail.service.js';
import { MailOutbox } from './outbox/mail-outbox.service.js';
import { Mail, MailSchema } from './outbox/mail.schema.js';
import { MailComposers } from './sending/mail-composers.service.js';
import { MailLinks } from './sending/mail-links.service.js';
import { MailSender } from './sending/mail-sender.job.js';
import { MailTransport } from './sending/mail-transport.service.js';
import { MailTexts } from './texts/mail-texts.service.js';

/** Mail to people: an outbox in the database, and a job that sends it. */
@Module({
  imports: [
    KeysModule,
    BackgroundModule,
    UserModule,
    MongooseModule.forFeature([{ name: Mail.name, schema: MailSchema }]),
  ],
  controllers: [MailController],
  providers: [
    MailService,
    MailOutbox,
    MailComposers,
    MailLinks,
    MailSender,
    MailTexts,
    MailTransport,
  ],
  exports: [MailService, MailOutbox, MailComposers, MailTransport, MailTexts],
})
export class MailModule {}
