import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../auth/auth.module.js';
import { AuditModule } from '../events/audit/audit.module.js';
import { IdempotencyModule } from '../platform/idempotency/idempotency.module.js';
import { ApiKeyController } from './api-key.controller.js';
import { ApiKeyService } from './api-key.service.js';
import { PageKeyService } from './page-key.service.js';
import { ApiKey, ApiKeySchema } from './api-key.schema.js';

@Module({
  imports: [
    AuditModule,
    AuthModule,
    IdempotencyModule,
    MongooseModule.forFeature([{ name: ApiKey.name, schema: ApiKeySchema }]),
  ],
  controllers: [ApiKeyController],
  providers: [ApiKeyService, PageKeyService],
  exports: [ApiKeyService, PageKeyService],
})
export class ApiKeyModule {}
