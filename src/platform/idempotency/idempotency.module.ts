import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Idempotency } from './idempotency.service.js';
import { RemovedRecord, RemovedRecordSchema } from './removed-record.schema.js';

/** The module that each feature which creates records imports. */
@Module({
  imports: [MongooseModule.forFeature([{ name: RemovedRecord.name, schema: RemovedRecordSchema }])],
  providers: [Idempotency],
  exports: [Idempotency],
})
export class IdempotencyModule {}
