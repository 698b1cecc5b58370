import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { KeysModule } from '../../auth/keys/keys.module.js';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { AuditRecord, AuditSchema } from './audit.schema.js';
import { AuditService } from './audit.service.js';
import { AuditController } from './list/audit.controller.js';
import { AuditListService } from './list/audit-list.service.js';
import { RefusedSignIns } from './refused-sign-ins.service.js';
import { AuditCollections } from './seals/audit-collections.js';
import { AuditRetention } from './seals/audit-retention.job.js';
import { AuditSeal, AuditSealSchema } from './seals/audit-seal.schema.js';
import { AuditSealer } from './seals/audit-sealer.job.js';
import { AuditVerifier } from './seals/audit-verifier.service.js';
import { SealSigner } from './seals/seal-signer.js';

/** The audit log. It stands below all features, because they write it. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: AuditRecord.name, schema: AuditSchema },
      { name: AuditSeal.name, schema: AuditSealSchema },
    ]),
    BackgroundModule,
    KeysModule,
  ],
  controllers: [AuditController],
  providers: [
    AuditService,
    RefusedSignIns,
    AuditListService,
    AuditCollections,
    AuditSealer,
    AuditRetention,
    AuditVerifier,
    SealSigner,
  ],
  exports: [AuditService, RefusedSignIns],
})
export class AuditModule {}
