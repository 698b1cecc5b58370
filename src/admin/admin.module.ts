import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../apikey/api-key.module.js';
import { ContactModule } from '../contact/contact.module.js';
import { UserModule } from '../user/user.module.js';
import { AdminController } from './admin.controller.js';
import { AdminUserService } from './admin-user.service.js';

@Module({
  imports: [UserModule, ApiKeyModule, ContactModule],
  controllers: [AdminController],
  providers: [AdminUserService],
})
export class AdminModule {}
