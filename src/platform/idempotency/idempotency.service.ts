import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, Types } from 'mongoose';
import { Clock } from '../clock.js';
import { IdempotencyKeyReusedError, UnavailableError } from '../http/errors/api.errors.js';
import { OPERATION_MAX_MS } from '../database/client-options.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import type { CreatedRecord, Creation } from './creation.js';
import { RemovedRecord } from './removed-record.schema.js';

/** How Idempotency creates, finds and checks records of one kind. */
export interface CreationSteps<Stored extends CreatedRecord> {
  /** The model of the records. */
  readonly records: Model<Stored>;
  /**
   * Further conditions that a record must meet to be returned to a repetition. An `_id` among them replaces
   * the id of the creation, for records that get a different id.
   */
  readonly visible?: Readonly<Record<string, unknown>>;
  /**
   * Checks the conditions of the creation, and stores the record.
   *
   * @param creation fields for the record, if there is a key
   */
  readonly insert: (creation: Partial<Creation>) => Promise<Stored>;
  /**
   * Makes the error for a repetition after the record was removed; left out for records that are never
   * removed.
   */
  readonly gone?: () => Error;
  /** Whether the record was removed; for records whose removal stores no RemovedRecord. */
  readonly wasRemoved?: (creation: Creation) => Promise<boolean>;
  /**
   * Whether the records expire. Their RemovedRecord is then stored when they are created, and a removal
   * stores none.
   */
  readonly expires?: true;
}

/**
 * Options of a read whose result is sent to the client. The client takes the record for stored, so a failover
 * must not be able to roll it back.
 */
const MAJORITY = { readConcern: { level: 'majority' } } as const;

/**
 * Options of a read that also finds a record that the primary has, but a majority of the replica set does not
 * have yet.
 */
const LOCAL = { readConcern: { level: 'local' } } as const;

/** Options of every read. */
const READ = { hint: { _id: 1 }, readPreference: 'primary', maxTimeMS: OPERATION_MAX_MS } as const;

/**
 * Creates records once per `Idempotency-Key`. The id of a record is derived from the key, so the index on
 * `_id` decides which of two requests creates the record. Neither a transaction nor a further record is
 * needed.
 */
@Injectable()
export class Idempotency {
  constructor(
    @InjectModel(RemovedRecord.name) private readonly removed: Model<RemovedRecord>,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a record, or returns the record that the same request has created, as it is now. In both cases
   * the calling service does what follows a creation, because the first attempt may have failed before that.
   *
   * @param creation null without a key; then only `insert` is called
   * @throws IdempotencyKeyReusedError another request has created the record
   * @throws the error that `gone` makes, or that `insert` throws
   */
  async once<Stored extends CreatedRecord>(
    creation: Creation | null,
    steps: CreationSteps<Stored>,
  ): Promise<Stored> {
    if (!creation) return steps.insert({});
    const before = await this.find(creation, steps);
    if (before) return before;
    let inserted: Stored;
    try {
      inserted = await steps.insert(creation);
    } catch (error) {
      // The record may be stored in spite of the error: by another attempt meanwhile, or by this one if the
      // answer of the database was lost.
      const stored = await this.find(creation, steps);
      if (stored) return stored;
      await this.refuseIfHidden(creation, steps);
      if (!isDuplicateKey(error, '_id')) throw error;
      throw (await this.read(creation, steps, LOCAL))
        ? new UnavailableError('the same request is being handled: repeat it in a moment')
        : (steps.gone?.() ?? error);
    }
    const mayBeRemoved = steps.gone && !steps.wasRemoved && !steps.expires;
    if (mayBeRemoved && (await this.findRemoved(creation))) {
      // The record was created by another attempt and removed during this attempt, so it must not exist
      // again.
      await steps.records.collection.deleteOne({ _id: inserted._id as Types.ObjectId });
      throw steps.gone();
    }
    return inserted;
  }

  /**
   * Stores a RemovedRecord for a record that is about to be removed, if the record was created with a key.
   *
   * @param filter must contain the id of the record
   */
  async beforeRemoval(
    records: Pick<Model<unknown>, 'collection'>,
    filter: { readonly _id: Types.ObjectId } & Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const projection = { requestHash: 1 };
    const options = { ...READ, projection };
    const record = await records.collection.findOne(filter, options);
    await this.storeAllRemoved(record ? [record] : []);
  }

  /** Stores a RemovedRecord for each of these records that was created with a key. They are about to be removed. */
  async storeAllRemoved(records: readonly CreatedRecord[]): Promise<void> {
    const goneAt = this.clock.now();
    for (const { _id, requestHash } of records) {
      if (requestHash) await this.storeRemoved({ _id: _id as Types.ObjectId, requestHash }, goneAt);
    }
  }

  /**
   * Stores the RemovedRecord of a record that is removed at `goneAt`, which may be in the future. A repeated
   * call changes nothing.
   */
  async storeRemoved({ _id, requestHash }: Creation, goneAt: Date): Promise<void> {
    const $setOnInsert = { requestHash, goneAt };
    await this.removed.updateOne({ _id }, { $setOnInsert }, { upsert: true });
  }

  /**
   * @returns null when the record was never created
   * @throws IdempotencyKeyReusedError another request has created the record
   * @throws the error of `gone` when the record was removed
   */
  private async find<Stored extends CreatedRecord>(
    creation: Creation,
    steps: CreationSteps<Stored>,
  ): Promise<Stored | null> {
    // The RemovedRecord is read first, because a preview has one from its creation. If it were read second,
    // another attempt could create a preview between the two reads, which would then look removed.
    const removed = await this.findRemoved(creation);
    const stored = await this.read(creation, steps, MAJORITY);
    const found = stored ?? removed;
    if (found && found.requestHash !== creation.requestHash) throw new IdempotencyKeyReusedError();
    if (!stored && steps.gone && (found || (await steps.wasRemoved?.(creation))))
      throw steps.gone();
    return stored;
  }

  /**
   * Another request may have created a record that this one does not see, such as a comment on another blog.
   *
   * @throws IdempotencyKeyReusedError
   */
  private async refuseIfHidden<Stored extends CreatedRecord>(
    creation: Creation,
    { records, visible }: CreationSteps<Stored>,
  ): Promise<void> {
    if (!visible) return;
    const hidden = await this.read(creation, { records }, LOCAL);
    const isOther = hidden?.requestHash && hidden.requestHash !== creation.requestHash;
    if (isOther) throw new IdempotencyKeyReusedError();
  }

  private findRemoved({ _id }: Creation): Promise<RemovedRecord | null> {
    const removed = this.removed.collection as unknown as mongo.Collection<RemovedRecord>;
    return removed.findOne({ _id }, { ...READ, ...MAJORITY });
  }

  /**
   * Reads through the driver's collection, without the casts of Mongoose, so that records of all kinds are
   * read alike.
   */
  private read<Stored extends CreatedRecord>(
    { _id }: Creation,
    { records, visible }: Pick<CreationSteps<Stored>, 'records' | 'visible'>,
    concern: typeof MAJORITY | typeof LOCAL,
  ): Promise<Stored | null> {
    const collection = records.collection as unknown as mongo.Collection;
    const filter = { _id, ...visible } as mongo.Filter<mongo.Document>;
    return collection.findOne(filter, { ...READ, ...concern }) as Promise<Stored | null>;
  }
}
