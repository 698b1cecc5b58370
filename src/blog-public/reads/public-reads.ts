import DataLoader from 'dataloader';
import type { CacheCoherenceService } from '../../cache/cache-coherence.service.js';
import type { ReadOptions } from '../../cache/causal-read-barrier.js';
import { SingleFlight } from '../../cache/single-flight.js';
import { Bulkhead } from '../../common/bulkhead/bulkhead.js';
import type { CacheSubject } from '../../common/cache-subject.js';
import { TooManySearchesError } from '../blog-public.errors.js';
import type { BatchScheduler } from './batch-scheduler.js';

/** Secondaries answer while there is no primary. The causal read barrier holds for them as well. */
const READ_PREFERENCE = { readPreference: 'primaryPreferred' } as const;

/** Reads that load the database for long: 2 run at a time, 50 may wait for 2 s, the rest is refused. */
const EXPENSIVE_READS = { maxConcurrent: 2, maxQueued: 50, maxWaitMs: 2_000 } as const;

/** Options of a query, an aggregation or a command. */
export type PublicReadOptions = ReadOptions & typeof READ_PREFERENCE;

/** Runs a query behind the causal read barrier. */
export type RunQuery = <Found>(
  query: (options: PublicReadOptions) => Promise<Found>,
) => Promise<Found>;

/** How a key is read: in one query with others, in one of its own, or after waiting in a bulkhead. */
export type Schedule = 'batched' | 'alone' | Bulkhead;

export interface PublicReadsOptions<Key, Value> {
  /** What the values are read from. */
  readonly dependsOn: readonly CacheSubject[];
  readonly scheduleOf: (key: Key) => Schedule;
  readonly batches?: {
    readonly scheduler: BatchScheduler;
    /** Keys of one query at most. */
    readonly maxSize: number;
  };
  /** @returns the values in the order of the keys; an Error fails its own key only */
  readonly read: (keys: readonly Key[], runQuery: RunQuery) => Promise<readonly (Value | Error)[]>;
}

/**
 * Reads of the public API that no cache could answer. Callers who want the same at the same time share
 * one read, reads that are wanted at the same time share one query, and every query sees what this
 * process has written or was told of.
 */
export class PublicReads<Key, Value> {
  private readonly shared: SingleFlight<Value>;
  private readonly batched: DataLoader<Key, Value>;

  constructor(
    private readonly coherence: CacheCoherenceService,
    private readonly options: PublicReadsOptions<Key, Value>,
  ) {
    const { dependsOn, batches } = options;
    this.shared = new SingleFlight(coherence, dependsOn);
    this.batched = new DataLoader<Key, Value>((keys) => this.readBatch(keys), {
      cache: false,
      ...(batches
        ? { maxBatchSize: batches.maxSize, batchScheduleFn: batches.scheduler.schedule }
        : { batch: false }),
    });
  }

  /**
   * @param name of the key: callers with the same name share one read
   * @throws what `read` throws @throws TooManySearchesError by a bulkhead
   */
  async get(name: string, key: Key): Promise<Value> {
    return this.shared.join(name, () => this.schedule(key));
  }

  private async schedule(key: Key): Promise<Value> {
    const schedule = this.options.scheduleOf(key);
    if (schedule === 'batched') return this.batched.load(key);
    const runQuery: RunQuery =
      schedule === 'alone'
        ? (query) => this.runQuery(query)
        : (query) => schedule.run(() => this.runQuery(query));
    const [value] = await this.options.read([key], runQuery);
    if (value === undefined) throw new Error('a read must return a value for each key');
    if (value instanceof Error) throw value;
    return value;
  }

  /** The next batch may start when the query has ended: what is made of its result is not waited for. */
  private async readBatch(keys: readonly Key[]): Promise<readonly (Value | Error)[]> {
    let isRunning = true;
    const end = (): void => {
      if (isRunning) this.options.batches?.scheduler.ended();
      isRunning = false;
    };
    try {
      return await this.options.read(keys, (query) => this.runQuery(query).finally(end));
    } finally {
      end();
    }
  }

  private runQuery<Found>(query: (options: PublicReadOptions) => Promise<Found>): Promise<Found> {
    return this.coherence.read((options) => query({ ...options, ...READ_PREFERENCE }));
  }
}

/** Bounds expensive reads. Its error is TooManySearchesError. */
export function expensiveReads(): Bulkhead {
  return new Bulkhead(EXPENSIVE_READS, () => new TooManySearchesError());
}
