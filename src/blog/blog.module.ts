import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { UserModule } from '../user/user.module.js';
import { BlogMoveService } from './blog-move.service.js';
import { BlogStore } from './blog-store.js';
import { FormerAuthorService } from './former-author.service.js';
import { HtmlCleaner } from './html/html-cleaner.js';
import { Blog, BlogSchema } from './blog.schema.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Blog.name, schema: BlogSchema }]), UserModule],
  providers: [BlogMoveService, BlogStore, FormerAuthorService, HtmlCleaner],
  exports: [BlogMoveService, BlogStore, FormerAuthorService, HtmlCleaner, MongooseModule],
})
export class BlogModule {}
