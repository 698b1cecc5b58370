import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import ms from 'ms';
import { Clock } from '../../../platform/clock.js';
import { isDuplicateKey } from '../../../platform/database/is-duplicate-key.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../platform/jobs/background.service.js';
import type { AuditRecord } from '../audit.schema.js';
import { AuditCollections, MAJORITY } from './audit-collections.js';
import type { AuditSeal } from './audit-seal.schema.js';
import { SealSigner } from './seal-signer.js';
import { digestOf, sealText } from './sealed-text.js';

/** Largest number of records under one seal. */
const BATCH = 1_000;

/**
 * Seals what is new in the audit log:
 *
 * 1. Completes the newest seal: logs its MAC and marks its records, unless that was done.
 * 2. Reads the records that no seal covers. One that is committed late is in a later batch.
 * 3. Inserts the next seal, with the ids of its records. Its number is the key of the collection: of two processes that
 *    seal at the same time, one fails and begins again.
 *
 * A process may be killed between any two steps: the next run completes the seal, and no record is covered twice.
 */
@Injectable()
export class AuditSealer implements BackgroundJob, OnModuleInit {
  readonly name = 'audit sealing';
  readonly everyMs = ms('5m');
  private readonly logger = new Logger(AuditSealer.name);

  constructor(
    private readonly stored: AuditCollections,
    private readonly signer: SealSigner,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    return (await this.unsealed(1)).length > 0;
  }

  async run(signal: AbortSignal): Promise<string | null> {
    let sealed = 0;
    while (!signal.aborted) {
      const newest = await this.stored.seals.findOne({}, { sort: { _id: -1 }, ...MAJORITY });
      if (newest) await this.complete(newest);
      const records = await this.unsealed(BATCH);
      if (records.length === 0) break;
      if (await this.seal(records, newest)) sealed += records.length;
    }
    return sealed === 0 ? null : `records sealed: ${sealed}`;
  }

  private unsealed(limit: number): Promise<AuditRecord[]> {
    return this.stored.records
      .find({ seal: { $exists: false }, sealableAt: { $lte: this.clock.now() } }, MAJORITY)
      .sort({ sealableAt: 1 })
      .limit(limit)
      .toArray();
  }

  /** @returns false when another process has inserted a seal with this number */
  private async seal(records: readonly AuditRecord[], newest: AuditSeal | null): Promise<boolean> {
    const covered = {
      _id: (newest?._id ?? 0) + 1,
      previous: newest?.mac ?? '',
      digest: digestOf(records),
      sealedAt: this.clock.now(),
    };
    const ids = records.map(({ _id }) => _id);
    const seal = { ...covered, records: ids, ...this.signer.sign(sealText(covered)) };
    try {
      await this.stored.seals.insertOne(seal, { writeConcern: { w: 'majority' } });
      return true;
    } catch (error) {
      if (isDuplicateKey(error, '_id')) return false;
      throw error;
    }
  }

  /** The MAC is logged first, so that a seal whose records are marked is always in the log. */
  private async complete({ _id, mac, records = [] }: AuditSeal): Promise<void> {
    const unmarked = { _id: { $in: records }, seal: { $exists: false } };
    if (!(await this.stored.records.findOne(unmarked, { ...BY_ID, ...MAJORITY }))) return;
    this.logger.log(`audit seal ${_id}:${mac}`);
    await this.stored.records.updateMany(unmarked, { $set: { seal: _id } }, BY_ID);
  }
}
