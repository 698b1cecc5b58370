import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Idempotency } from './idempotency.service.js';
import { RemovedRecord, RemovedRecordSchema } from './removed-record.schema.js';

/** Imported by every feature that creates records once per `Idempotency-Key`. */
@Module({
  imports: [MongooseModule.forFeature([{ name: RemovedRecord.name, schema: RemovedRecordSchema }])],
  providers: [Idempotency],
  exports: [Idempotency],
})
export class IdempotencyModule {}
