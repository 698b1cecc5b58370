import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, Types } from 'mongoose';
import { Clock } from '../clock.js';
import { IdempotencyKeyReusedError, UnavailableError } from '../http/errors/api.errors.js';
import { OPERATION_MAX_MS } from '../database/client-options.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import type { Created, Creation } from './creation.js';
import { RemovedRecord } from './removed-record.schema.js';

/** How a record of one kind is created once. */
export interface CreationSteps<Stored extends Created> {
  /** The model of the records. */
  readonly records: Model<Stored>;
  /**
   * Further conditions for a record to be returned to a repetition. An `_id` here replaces the one
   * of the creation, for records with another id.
   */
  readonly visible?: Readonly<Record<string, unknown>>;
  /**
   * Checks the conditions of the creation, and stores the record.
   *
   * @param creation fields for the record, if there is a key
   */
  readonly insert: (creation: Partial<Creation>) => Promise<Stored>;
  /**
   * The error of a repetition after the record was removed; left out for records that are never
   * removed.
   */
  readonly gone?: () => Error;
  /** Whether the record was removed; for records whose removal a RemovedRecord does not tell. */
  readonly wasRemoved?: (creation: Creation) => Promise<boolean>;
  /**
   * Whether records end by themselves: their RemovedRecord is kept from the start, and a removal
   * stores none.
   */
  readonly endsByItself?: true;
}

/**
 * Options of a read whose result is an answer. A client takes it as acknowledged, so a failover
 * must not be able to roll it back.
 */
const COMMITTED = { readConcern: { level: 'majority' } } as const;

/**
 * Options of a read that finds a record of the primary, even if a majority of the replica set does
 * not hold it yet.
 */
const STORED = { readConcern: { level: 'local' } } as const;

/** The driver reads the records without casting, so that the records of all kinds are read alike. */
const READ = { hint: { _id: 1 }, readPreference: 'primary', maxTimeMS: OPERATION_MAX_MS } as const;

/**
 * Creates records once per `Idempotency-Key`. The id of a record is derived from the key, so the
 * index on `_id` decides which of two requests creates the record: neither a transaction nor a
 * further record is needed.
 */
@Injectable()
export class Idempotency {
  constructor(
    @InjectModel(RemovedRecord.name) private readonly removed: Model<RemovedRecord>,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a record, or returns the record that the same request has created, as it is now. The
   * caller does what follows a creation in both cases, because the first attempt may have ended
   * before it.
   *
   * @param creation null without a key: then only `insert` is done
   * @throws IdempotencyKeyReusedError another request has created the record
   * @throws what `gone` and `insert` throw
   */
  async once<Stored extends Created>(
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
      // Any error may be caused by another attempt that has stored the record meanwhile, so the
      // record is looked for.
      const stored = await this.find(creation, steps);
      if (stored) return stored;
      if (!isDuplicateKey(error, '_id')) throw error;
      throw (await this.read(creation, steps, STORED))
        ? new UnavailableError('the same request is being handled: repeat it in a moment')
        : (steps.gone?.() ?? error);
    }
    const mayBeRemoved = steps.gone && !steps.wasRemoved && !steps.endsByItself;
    if (mayBeRemoved && (await this.findRemoved(creation))) {
      // The record was removed while this attempt was under way, and must not exist again.
      await steps.records.collection.deleteOne({ _id: inserted._id as Types.ObjectId });
      throw steps.gone();
    }
    return inserted;
  }

  /**
   * Notes that a record is about to be removed.
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
    const requestHash = (record as Created | null)?.requestHash;
    if (requestHash) await this.keep({ _id: filter._id, requestHash }, this.clock.now());
  }

  /** Stores that a record is removed, or when it will be. The call may be repeated. */
  async keep({ _id, requestHash }: Creation, goneAt: Date): Promise<void> {
    const $setOnInsert = { requestHash, goneAt };
    await this.removed.updateOne({ _id }, { $setOnInsert }, { upsert: true });
  }

  /** @returns null when the record was never created */
  private async find<Stored extends Created>(
    creation: Creation,
    steps: CreationSteps<Stored>,
  ): Promise<Stored | null> {
    // The RemovedRecord is read first. A preview has one from the start: read second, it could
    // belong to a preview that another attempt has created after the record was seen to be missing.
    const removed = await this.findRemoved(creation);
    const stored = await this.read(creation, steps, COMMITTED);
    const found = stored ?? removed;
    if (found && found.requestHash !== creation.requestHash) throw new IdempotencyKeyReusedError();
    if (!stored && steps.gone && (found || (await steps.wasRemoved?.(creation))))
      throw steps.gone();
    return stored;
  }

  private findRemoved({ _id }: Creation): Promise<RemovedRecord | null> {
    const removed = this.removed.collection as unknown as mongo.Collection<RemovedRecord>;
    return removed.findOne({ _id }, { ...READ, ...COMMITTED });
  }

  private read<Stored extends Created>(
    { _id }: Creation,
    { records, visible }: CreationSteps<Stored>,
    level: typeof COMMITTED | typeof STORED,
  ): Promise<Stored | null> {
    const collection = records.collection as unknown as mongo.Collection;
    const filter = { _id, ...visible } as mongo.Filter<mongo.Document>;
    return collection.findOne(filter, { ...READ, ...level }) as Promise<Stored | null>;
  }
}
