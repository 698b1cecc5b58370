import { Module } from '@nestjs/common';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { BlogModule } from '../core/blog.module.js';
import { UserModule } from '../../user/user.module.js';
import { BlogHandoverController } from './blog-handover.controller.js';
import { BlogHandoverService } from './blog-handover.service.js';

@Module({
  imports: [BackgroundModule, BlogModule, UserModule],
  controllers: [BlogHandoverController],
  providers: [BlogHandoverService],
  exports: [BlogHandoverService],
})
export class BlogHandoverModule {}
