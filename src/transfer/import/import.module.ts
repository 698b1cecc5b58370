import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { BlogModule } from '../../blog/core/blog.module.js';
import { UserModule } from '../../user/user.module.js';
import { ArticlePreparer } from './articles/article-preparer.service.js';
import { ImportAuthorsService } from './authors/import-authors.service.js';
import { AddressBookService } from './links/address-book.service.js';
import { ImporterService } from './importer.service.js';

/** Takes over articles from other programs. */
@Module({
  imports: [AuthModule, BlogModule, UserModule],
  providers: [AddressBookService, ArticlePreparer, ImportAuthorsService, ImporterService],
})
export class ImportModule {}
