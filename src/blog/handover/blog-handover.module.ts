import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { BlogModule } from '../core/blog.module.js';
import { UserModule } from '../../user/user.module.js';
import { BlogHandoverController } from './blog-handover.controller.js';
import { BlogHandoverService } from './blog-handover.service.js';

@Module({
  imports: [AuditModule, BackgroundModule, BlogModule, UserModule],
  controllers: [BlogHandoverController],
  providers: [BlogHandoverService],
  exports: [BlogHandoverService],
})
export class BlogHandoverModule {}
