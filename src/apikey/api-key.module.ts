import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IdempotencyModule } from '../platform/idempotency/idempotency.module.js';
import { ApiKeyService } from './api-key.service.js';
import { ApiKey, ApiKeySchema } from './api-key.schema.js';

@Module({
  imports: [
    IdempotencyModule,
    MongooseModule.forFeature([{ name: ApiKey.name, schema: ApiKeySchema }]),
  ],
  providers: [ApiKeyService],
  exports: [ApiKeyService],
})
export class ApiKeyModule {}
