import { Logger } from '@nestjs/common';
import type { Collection, Types } from 'mongoose';

/** Milliseconds between two writes of the last use: a minute is exact enough for people. */
const INTERVAL_MS = 60_000;

/** A cached record whose use is noted. */
export interface UsedRecord {
  readonly id: Types.ObjectId;
  /** Last use in milliseconds since 1970; 0 for never. */
  lastUsedAt: number;
}

/** Writes the field `lastUsedAt` of records, at most once a minute each. */
export class LastUse {
  private readonly logger = new Logger(LastUse.name);

  constructor(private readonly records: { readonly collection: Collection }) {}

  /** Notes a use in the background: the request does not wait, and a failure is only logged. */
  note(record: UsedRecord, now: Date): void {
    if (now.getTime() - record.lastUsedAt < INTERVAL_MS) return;
    record.lastUsedAt = now.getTime();
    this.records.collection
      .updateOne({ _id: record.id }, { $set: { lastUsedAt: now } })
      .catch((error: unknown) => this.logger.debug(`lastUsedAt not written: ${String(error)}`));
  }
}
