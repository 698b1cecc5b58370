import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../apikey/api-key.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { BlogModule } from '../../blog/core/blog.module.js';
import { BlogAuthorModule } from '../../blog/author/blog-author.module.js';
import { BlogCommentsModule } from '../../blog/comments/blog-comments.module.js';
import { MediaModule } from '../../blog/media/media.module.js';
import { UserModule } from '../../user/user.module.js';
import { DemoService } from './demo/demo.service.js';
import { SeedService } from './seed.service.js';
import { SetupService } from './setup.service.js';

@Module({
  imports: [
    ApiKeyModule,
    AuthModule,
    BlogModule,
    BlogAuthorModule,
    BlogCommentsModule,
    MediaModule,
    UserModule,
  ],
  providers: [DemoService, SeedService, SetupService],
  exports: [SetupService],
})
export class SetupModule {}
