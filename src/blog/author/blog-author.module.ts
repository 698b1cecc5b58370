import { Module } from '@nestjs/common';
import { BlogModule } from '../core/blog.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { UserModule } from '../../user/user.module.js';
import { BlogAuthorController } from './blog-author.controller.js';
import { BlogAuthorService } from './blog-author.service.js';

@Module({
  imports: [BlogModule, IdempotencyModule, UserModule],
  controllers: [BlogAuthorController],
  providers: [BlogAuthorService],
  exports: [BlogAuthorService],
})
export class BlogAuthorModule {}
