import { Module } from '@nestjs/common';
import { BlogModule } from '../core/blog.module.js';
import { UserModule } from '../../user/user.module.js';
import { BlogHandoverController } from './blog-handover.controller.js';
import { BlogHandoverService } from './blog-handover.service.js';

@Module({
  imports: [BlogModule, UserModule],
  controllers: [BlogHandoverController],
  providers: [BlogHandoverService],
})
export class BlogHandoverModule {}
