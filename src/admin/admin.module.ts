import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../apikey/api-key.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ContactModule } from '../contact/contact.module.js';
import { UserModule } from '../user/user.module.js';
import { AdminController } from './admin.controller.js';
import { AdminApiKeyService } from './admin-api-key.service.js';
import { AdminUserService } from './admin-user.service.js';
import { OperatorAccountService } from './operator-account.service.js';

@Module({
  imports: [UserModule, AuthModule, ApiKeyModule, ContactModule],
  controllers: [AdminController],
  providers: [AdminApiKeyService, AdminUserService, OperatorAccountService],
})
export class AdminModule {}
