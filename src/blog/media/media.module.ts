import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { UserModule } from '../../user/user.module.js';
import { BlogModule } from '../core/blog.module.js';
import { MediaController } from './library/media.controller.js';
import { MediaService } from './library/media.service.js';
import { MediaUpload } from './library/media-upload.service.js';
import { MediaViews } from './library/media-views.service.js';
import { MediaRecordsModule } from './media-records.module.js';
import { PictureProcess } from './processing/picture-process.service.js';
import { MediaFile, MediaFileSchema } from './records/media-file.schema.js';
import { Pictures } from './serving/pictures.service.js';
import { PicturesController } from './serving/pictures.controller.js';
import { PublicPictures } from './serving/public-pictures.service.js';
import { PictureFolder } from './storage/picture-folder.service.js';
import { PictureMove } from './storage/picture-move.service.js';
import { PictureIntake } from './storage/picture-intake.service.js';
import { PictureStore } from './storage/picture-store.js';
import { PictureStores } from './storage/picture-stores.service.js';
import { MediaUsageController } from './usage/media-usage.controller.js';
import { MediaUsage } from './usage/media-usage.service.js';
import { MediaJob } from './use/media.job.js';
import { MediaRemoval } from './use/media-removal.service.js';

@Module({
  imports: [
    BackgroundModule,
    BlogModule,
    IdempotencyModule,
    MediaRecordsModule,
    RateLimitModule,
    UserModule,
    MongooseModule.forFeature([{ name: MediaFile.name, schema: MediaFileSchema }]),
  ],
  controllers: [MediaController, MediaUsageController, PicturesController],
  providers: [
    MediaService,
    MediaUpload,
    MediaUsage,
    MediaViews,
    MediaJob,
    MediaRemoval,
    PictureFolder,
    PictureIntake,
    PictureProcess,
    Pictures,
    PublicPictures,
    PictureMove,
    PictureStores,
    {
      provide: PictureStore,
      inject: [PictureStores],
      useFactory: ({ chosen }: PictureStores) => chosen,
    },
  ],
  exports: [PictureIntake, PictureProcess],
})
export class MediaModule {}
