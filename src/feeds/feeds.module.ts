import { Module, type DynamicModule } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BlogModule } from '../blog/core/blog.module.js';
import { BlogPublicModule } from '../blog/public/blog-public.module.js';
import type { Env } from '../platform/config/env.js';
import { BackgroundModule } from '../platform/jobs/background.module.js';
import { FeedService } from './feed/feed.service.js';
import { FeedsController } from './feeds.controller.js';
import { OpenFeedsController } from './open-feeds.controller.js';
import { SiteService } from './site.service.js';
import { SitemapParts } from './sitemap/sitemap-parts.job.js';
import { SitemapStarts, SitemapStartsSchema } from './sitemap/sitemap-parts.schema.js';
import { SitemapReader } from './sitemap/sitemap-reader.js';
import { SitemapService } from './sitemap/sitemap.service.js';

/**
 * `PUBLIC_FEEDS` chooses the controller, because the decorators of a controller define the access
 * rules of its routes.
 */
@Module({
  imports: [
    BlogModule,
    BlogPublicModule,
    BackgroundModule,
    MongooseModule.forFeature([{ name: SitemapStarts.name, schema: SitemapStartsSchema }]),
  ],
  providers: [FeedService, SiteService, SitemapReader, SitemapParts, SitemapService],
})
export class FeedsModule {
  static register({ PUBLIC_FEEDS }: Env): DynamicModule {
    const controller = PUBLIC_FEEDS === 'on' ? OpenFeedsController : FeedsController;
    return { module: FeedsModule, controllers: [controller] };
  }
}
