import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BackgroundModule } from '../background/background.module.js';
import { UserModule } from '../user/user.module.js';
import { BlogMoveService } from './blog-move.service.js';
import { BlogStore } from './blog-store.js';
import { Blog, BlogSchema } from './blog.schema.js';
import { STORED_BLOG_EVENT, StoredBlogEventSchema } from './events/blog-event.schema.js';
import { BlogHistoryService } from './events/blog-history.service.js';
import { BlogRelay } from './events/blog-relay.service.js';
import { FormerAuthorService } from './former-author.service.js';
import { HtmlCleaner } from './html/html-cleaner.js';

const SERVICES = [BlogMoveService, BlogStore, BlogHistoryService, FormerAuthorService, HtmlCleaner];

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Blog.name, schema: BlogSchema },
      { name: STORED_BLOG_EVENT, schema: StoredBlogEventSchema },
    ]),
    UserModule,
    BackgroundModule,
  ],
  providers: [...SERVICES, BlogRelay],
  exports: [...SERVICES, MongooseModule],
})
export class BlogModule {}
