import { createHash } from 'node:crypto';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import ms from 'ms';
import { Clock } from '../../platform/clock.js';
import { isDuplicateKey } from '../../platform/database/is-duplicate-key.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import type { AuditKind } from './audit-kinds.js';
import { AuditRecord } from './audit.schema.js';

const KIND: AuditKind = 'signin.refused';
const HOUR_MS = ms('1h');

/** Milliseconds after the end of an hour in which a late write may still count a sign-in of that hour. */
const SETTLE_MS = ms('5m');

/**
 * Counts refused sign-ins in one record for each account, client prefix and hour, so that guessing cannot fill the audit
 * log. Unknown addresses share a record without a subject.
 */
@Injectable()
export class RefusedSignIns implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RefusedSignIns.name);
  private readonly pending = new Set<Promise<void>>();

  constructor(
    @InjectModel(AuditRecord.name) private readonly records: Model<AuditRecord>,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one sign-in. The request does not wait for it, and it is the same write whether the account exists, so the
   * time of the answer tells nothing. A failure is only logged.
   *
   * @param account null for an address that no account has
   */
  count(account: Types.ObjectId | null, clientPrefix: string): void {
    const write = this.write(account, clientPrefix)
      // Another write has inserted the record at the same time.
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        return this.write(account, clientPrefix);
      })
      .catch((error: unknown) =>
        this.logger.warn(`a refused sign-in was not counted: ${String(error)}`),
      )
      .finally(() => this.pending.delete(write));
    this.pending.add(write);
  }

  /** Waits for the writes, before the connection is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  private async write(account: Types.ObjectId | null, clientPrefix: string): Promise<void> {
    const at = this.clock.now();
    const hour = Math.floor(at.getTime() / HOUR_MS);
    const sealableAt = new Date((hour + 1) * HOUR_MS + SETTLE_MS);
    const subject = account ? { subject: account } : {};
    await this.records.updateOne(
      // A sealed record must not change.
      { _id: idOf(hour, account, clientPrefix), seal: { $exists: false } },
      {
        $setOnInsert: { at, kind: KIND, ...subject, clientPrefix, sealableAt },
        $inc: { 'details.count': 1 },
      },
      { upsert: true, ...BY_ID },
    );
  }
}

/** An id that all processes derive alike: the hour, as in any ObjectId, and a digest. */
function idOf(hour: number, account: Types.ObjectId | null, clientPrefix: string): Types.ObjectId {
  const id = Buffer.alloc(12);
  id.writeUInt32BE((hour * HOUR_MS) / 1_000);
  const text = JSON.stringify([hour, account, clientPrefix]);
  createHash('sha256').update(text).digest().copy(id, 4, 0, 8);
  return new Types.ObjectId(id);
}
