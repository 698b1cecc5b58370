import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { BlogModule } from '../../blog/core/blog.module.js';
import { MediaModule } from '../../blog/media/media.module.js';
import { MediaRecordsModule } from '../../blog/media/media-records.module.js';
import { UserModule } from '../../user/user.module.js';
import { ArticlePreparer } from './articles/article-preparer.service.js';
import { ImportAuthorsService } from './authors/import-authors.service.js';
import { AddressBookService } from './links/address-book.service.js';
import { ImporterService } from './importer.service.js';
import { ArticlePictures } from './pictures/article-pictures.service.js';
import { ImportPictures } from './pictures/import-pictures.service.js';
import { PictureFetcher } from './pictures/picture-fetcher.service.js';

/** Takes over articles from other programs. */
@Module({
  imports: [AuthModule, BlogModule, MediaModule, MediaRecordsModule, UserModule],
  providers: [
    AddressBookService,
    ArticlePictures,
    ArticlePreparer,
    ImportAuthorsService,
    ImporterService,
    ImportPictures,
    PictureFetcher,
  ],
})
export class ImportModule {}
