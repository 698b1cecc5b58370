import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditRecord, AuditSchema } from './audit.schema.js';
import { AuditService } from './audit.service.js';

/** The audit log. It stands below all features, because they write it. */
@Module({
  imports: [MongooseModule.forFeature([{ name: AuditRecord.name, schema: AuditSchema }])],
  providers: [AuditService],
  exports: [AuditService],
})
export class AuditModule {}
