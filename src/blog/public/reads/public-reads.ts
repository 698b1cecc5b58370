import DataLoader from 'dataloader';
import type { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { SingleFlight } from '../../../platform/caching/single-flight.js';
import type { Bulkhead } from '../../../platform/overload/bulkhead/bulkhead.js';
import type { CacheSubject } from '../../../platform/caching/cache-subject.js';
import type { ClientPrefixOf } from '../../../platform/http/client-address/client-prefix.decorator.js';
import type { BatchScheduler } from './batch-scheduler.js';

/**
 * How a key is read: in one query with other keys, in a query of its own, or in a query of its own
 * once the bulkhead has a free slot.
 */
type Schedule = 'batched' | 'alone' | Bulkhead;

interface PublicReadsOptions<Key, Found, Value> {
  /** The subjects whose changes make a value out of date. */
  readonly dependsOn: readonly CacheSubject[];
  /** How a key is read; `batched` by default. */
  readonly scheduleOf?: (key: Key) => Schedule;
  /**
   * Batching of keys: `maxSize` is the largest number of keys in one query. Without it every query
   * has one key.
   */
  readonly batches?: { readonly scheduler: BatchScheduler; readonly maxSize: number };
  readonly query: (keys: readonly Key[], options: PublicReadOptions) => Promise<Found>;
  /** @returns one value per key, in their order; an Error fails the read of its own key only */
  readonly valuesOf: (
    found: Found,
    keys: readonly Key[],
  ) => readonly (Value | Error)[] | Promise<readonly (Value | Error)[]>;
}

/**
 * Reads from the database what no cache holds (docs/adr/0010). One call of `get` combines three steps:
 *
 * 1. Callers that ask for the same key at the same time share one read.
 * 2. Reads of different keys at the same time share one query.
 * 3. Every query runs behind the causal read barrier.
 */
export class PublicReads<Key, Found, Value> {
  private readonly shared: SingleFlight<Value>;
  private readonly batched: DataLoader<Key, Value> | null;

  constructor(
    private readonly coherence: CacheCoherenceService,
    private readonly options: PublicReadsOptions<Key, Found, Value>,
  ) {
    const { dependsOn, batches } = options;
    this.shared = new SingleFlight(coherence, dependsOn);
    this.batched = batches
      ? new DataLoader<Key, Value>((keys) => this.readBatch(keys), {
          cache: false,
          maxBatchSize: batches.maxSize,
          batchScheduleFn: batches.scheduler.schedule,
        })
      : null;
  }

  /**
   * @param name callers with the same name share one read
   * @param clientPrefixOf returns the client prefix; client prefixes that wait in a bulkhead are
   *   served in turn
   * @throws what `query` throws, the Error of the key, or TooManyExpensiveReadsError from a
   *   bulkhead
   */
  async get(name: string, key: Key, clientPrefixOf: ClientPrefixOf = () => ''): Promise<Value> {
    return this.shared.join(name, () => this.schedule(key, clientPrefixOf));
  }

  private async schedule(key: Key, clientPrefixOf: ClientPrefixOf): Promise<Value> {
    const schedule = this.options.scheduleOf?.(key) ?? 'batched';
    if (schedule === 'batched' && this.batched) return this.batched.load(key);
    const query = (): Promise<Found> => this.query([key]);
    const found = await (typeof schedule === 'string'
      ? query()
      : schedule.run(query, clientPrefixOf()));
    const [value] = await this.options.valuesOf(found, [key]);
    if (value === undefined) throw new Error('a read must return a value for each key');
    if (value instanceof Error) throw value;
    return value;
  }

  /** The next batch starts when the query has ended. It does not wait for `valuesOf`. */
  private async readBatch(keys: readonly Key[]): Promise<readonly (Value | Error)[]> {
    const { batches, valuesOf } = this.options;
    const found = await this.query(keys).finally(() => batches?.scheduler.ended());
    return valuesOf(found, keys);
  }

  private query(keys: readonly Key[]): Promise<Found> {
    return this.coherence.publicRead((options) => this.options.query(keys, options));
  }
}
