import type { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { SingleFlight } from '../../../platform/caching/single-flight.js';
import type { Bulkhead } from '../../../platform/overload/bulkhead/bulkhead.js';
import type { CacheSubject } from '../../../platform/caching/cache-subject.js';
import type { ClientPrefixOf } from '../../../platform/http/client-address/client-prefix.decorator.js';
import { BatchedReads } from './batched-reads.js';

/**
 * How a key is read: in one query with other keys, in a query of its own, or in a query of its own
 * once the bulkhead has a free slot.
 */
type Schedule = 'batched' | 'alone' | Bulkhead;

interface PublicReadsOptions<Key, Found, Value> {
  /** The subjects whose changes make a value out of date. */
  readonly dependsOn: readonly CacheSubject[];
  /** Keys with the same name have the same value. */
  readonly nameOf: (key: Key) => string;
  readonly scheduleOf: (key: Key) => Schedule;
  /** Largest number of keys in one query; 1 when left out. */
  readonly maxBatchSize?: number;
  readonly query: (keys: readonly Key[], options: PublicReadOptions) => Promise<Found>;
  /** @returns one value per key, in their order; an Error fails the read of its own key only */
  readonly valuesOf: (
    found: Found,
    keys: readonly Key[],
  ) => readonly (Value | Error)[] | Promise<readonly (Value | Error)[]>;
}

/**
 * Reads from the database what no cache holds, after the causal read barrier (docs/adr/0010).
 * Concurrent callers for the same key share one read. A batched read is shared until its query
 * begins; the other reads are shared by single flight.
 */
export class PublicReads<Key, Found, Value> {
  private readonly singleFlight: SingleFlight<Value>;
  private readonly batchedReads: BatchedReads<Key, Found, Value>;

  constructor(
    private readonly coherence: CacheCoherenceService,
    private readonly options: PublicReadsOptions<Key, Found, Value>,
  ) {
    const { dependsOn, maxBatchSize = 1, valuesOf } = options;
    this.singleFlight = new SingleFlight(coherence, dependsOn);
    this.batchedReads = new BatchedReads({
      maxSize: maxBatchSize,
      query: (keys) => this.query(keys),
      valuesOf,
    });
  }

  /**
   * @param clientPrefixOf returns the client prefix of the caller; a bulkhead serves the client
   *   prefixes in turn
   * @throws what `query` throws, the Error of the key, or TooManyExpensiveReadsError from a bulkhead
   */
  async get(key: Key, clientPrefixOf: ClientPrefixOf = () => ''): Promise<Value> {
    const { nameOf, scheduleOf } = this.options;
    const schedule = scheduleOf(key);
    if (schedule === 'batched') return this.batchedReads.get(nameOf(key), key);
    return this.singleFlight.join(nameOf(key), () => this.readAlone(key, schedule, clientPrefixOf));
  }

  private async readAlone(
    key: Key,
    schedule: 'alone' | Bulkhead,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<Value> {
    const query = (): Promise<Found> => this.query([key]);
    const found = await (schedule === 'alone' ? query() : schedule.run(query, clientPrefixOf()));
    const [value] = await this.options.valuesOf(found, [key]);
    if (value === undefined) throw new Error('a read must return a value for each key');
    if (value instanceof Error) throw value;
    return value;
  }

  private query(keys: readonly Key[]): Promise<Found> {
    return this.coherence.publicRead((options) => this.options.query(keys, options));
  }
}
