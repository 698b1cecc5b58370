import { Injectable, type OnModuleInit } from '@nestjs/common';
import ms from 'ms';
import { Clock } from '../../../platform/clock.js';
import { Env } from '../../../platform/config/env.js';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../platform/jobs/background.service.js';
import { AuditCollections, MAJORITY } from './audit-collections.js';
import type { AuditSeal } from './audit-seal.schema.js';
import { SealSigner } from './seal-signer.js';
import { expiryText, sealText } from './sealed-text.js';

/**
 * Removes the batches that were sealed longer ago than AUDIT_KEEP. The newest of their seals stays, with an expiry that
 * only the server can sign: with it the chain begins, and a verification can tell what has expired from what was removed.
 */
@Injectable()
export class AuditRetention implements BackgroundJob, OnModuleInit {
  readonly name = 'audit retention';
  readonly everyMs = ms('1h');

  constructor(
    private readonly stored: AuditCollections,
    private readonly signer: SealSigner,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    return (await this.newestExpired()) !== null;
  }

  /**
   * Each step may be repeated, so a run goes on where a killed one has ended.
   *
   * @throws Error when the newest expired seal was changed: nothing is removed then
   */
  async run(signal: AbortSignal): Promise<string | null> {
    const last = await this.newestExpired();
    if (!last || !(await this.markExpired(last))) return null;
    let removed = 0;
    while (!signal.aborted) {
      const seal = await this.stored.seals.findOne({}, { sort: { _id: 1 }, ...MAJORITY });
      if (!seal) break;
      const { records = [] } = seal;
      removed += (await this.stored.records.deleteMany({ _id: { $in: records } })).deletedCount;
      if (seal._id >= last._id) {
        await this.stored.seals.updateOne({ _id: last._id }, { $unset: { records: 1 } });
        break;
      }
      await this.stored.seals.deleteOne({ _id: seal._id });
    }
    return `audit records removed: ${removed}`;
  }

  /** The newest seal that has expired; null if there is none, or its records are removed already. */
  private async newestExpired(): Promise<AuditSeal | null> {
    const before = new Date(this.clock.now().getTime() - this.env.AUDIT_KEEP);
    const newest = await this.stored.seals.findOne(
      { sealedAt: { $lt: before } },
      { sort: { sealedAt: -1, _id: -1 }, ...MAJORITY },
    );
    return newest?.records ? newest : null;
  }

  /**
   * @returns false when the seal cannot be checked, because its signing key is not configured any more: it is removed with
   *   the first expired seal under a configured key
   */
  private async markExpired(seal: AuditSeal): Promise<boolean> {
    if (seal.expiry) return true;
    const isSigned = this.signer.isSigned(sealText(seal), seal);
    if (isSigned === false) {
      throw new Error(`audit seal ${seal._id} was changed: run "npx pressroom audit verify"`);
    }
    if (isSigned === null) return false;
    const at = this.clock.now();
    const expiry = { at, ...this.signer.sign(expiryText(seal, at)) };
    await this.stored.seals.updateOne({ _id: seal._id }, { $set: { expiry } });
    return true;
  }
}
