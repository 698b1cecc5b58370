import { Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module.js';
import { MailModule } from '../events/mail/mail.module.js';
import { NoticesModule } from '../events/notices/notices.module.js';
import { AuditModule } from '../events/audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BlogModule } from '../blog/core/blog.module.js';
import { BlogScheduleModule } from '../blog/schedule/blog-schedule.module.js';
import { UserModule } from '../user/user.module.js';
import { AccountService } from './account.service.js';
import { ProfileController } from './profile.controller.js';
import { ProfileService } from './profile.service.js';

@Module({
  imports: [
    AuditModule,
    UserModule,
    AuthModule,
    AdminModule,
    MailModule,
    NoticesModule,
    BlogModule,
    BlogScheduleModule,
  ],
  controllers: [ProfileController],
  providers: [ProfileService, AccountService],
})
export class ProfileModule {}
