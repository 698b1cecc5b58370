import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../apikey/api-key.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { UserModule } from '../user/user.module.js';
import { SeedService } from './seed.service.js';
import { SetupService } from './setup.service.js';

@Module({
  imports: [ApiKeyModule, AuthModule, UserModule],
  providers: [SeedService, SetupService],
  exports: [SetupService],
})
export class SetupModule {}
