import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BlogScheduleModule } from '../blog/schedule/blog-schedule.module.js';
import { ContactModule } from '../contact/contact.module.js';
import { UserModule } from '../user/user.module.js';
import { AdminController } from './admin.controller.js';
import { AdminUserService } from './admin-user.service.js';
import { OperatorAccountService } from './operator-account.service.js';

@Module({
  imports: [UserModule, AuthModule, BlogScheduleModule, ContactModule],
  controllers: [AdminController],
  providers: [AdminUserService, OperatorAccountService],
})
export class AdminModule {}
