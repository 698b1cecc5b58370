import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BackgroundModule } from '../background/background.module.js';
import { UserModule } from '../user/user.module.js';
import { BlogMoveService } from './blog-move.service.js';
import { FormerAuthorService } from './former-author.service.js';
import { HtmlCleaner } from './html/html-cleaner.js';
import { Blog, BlogSchema } from './blog.schema.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: Blog.name, schema: BlogSchema }]),
    UserModule,
    BackgroundModule,
  ],
  providers: [BlogMoveService, FormerAuthorService, HtmlCleaner],
  exports: [BlogMoveService, FormerAuthorService, HtmlCleaner, MongooseModule],
})
export class BlogModule {}
