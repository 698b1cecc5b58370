/**
 * Largest number of concurrent queries. MongoDB runs one while this process uses the result of the
 * other.
 */
const MAX_QUERIES = 2;

interface WaitingRead<Key, Value> extends PromiseWithResolvers<Value> {
  readonly key: Key;
}

interface BatchOptions<Key, Found, Value> {
  /** Largest number of keys in one query. */
  readonly maxSize: number;
  readonly query: (keys: readonly Key[]) => Promise<Found>;
  /** @returns one value per key, in their order; an Error fails the read of its own key only */
  readonly valuesOf: (
    found: Found,
    keys: readonly Key[],
  ) => readonly (Value | Error)[] | Promise<readonly (Value | Error)[]>;
}

/**
 * Reads several keys by one query (docs/adr/0010). The reads of one turn of the event loop share a query. While two
 * queries run, reads are collected for the next one. So a read never waits for a timer, and under load dozens of
 * reads share a query.
 *
 * A caller that asks for a key that already waits shares the read of this key. Once its query has
 * begun, a read is no longer shared, because the query may not see a change that was made since
 * then.
 */
export class BatchedReads<Key, Found, Value> {
  /** The reads that wait for a query, oldest first, by the names of their keys. */
  private readonly waiting = new Map<string, WaitingRead<Key, Value>>();
  private running = 0;
  private isScheduled = false;

  constructor(private readonly options: BatchOptions<Key, Found, Value>) {}

  /** @throws what the query throws, or the Error of the key */
  async get(name: string, key: Key): Promise<Value> {
    const known = this.waiting.get(name);
    if (known) return known.promise;
    const read = { ...Promise.withResolvers<Value>(), key };
    this.waiting.set(name, read);
    if (!this.isScheduled) {
      this.isScheduled = true;
      setImmediate(() => {
        this.isScheduled = false;
        this.startQueries();
      });
    }
    return read.promise;
  }

  private startQueries(): void {
    while (this.running < MAX_QUERIES && this.waiting.size > 0) {
      const batch = [...this.waiting].slice(0, this.options.maxSize);
      for (const [name] of batch) this.waiting.delete(name);
      void this.read(batch.map(([, read]) => read));
    }
  }

  private async read(batch: readonly WaitingRead<Key, Value>[]): Promise<void> {
    const keys = batch.map(({ key }) => key);
    try {
      const found = await this.query(keys);
      const values = await this.options.valuesOf(found, keys);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const value = values[index] ?? new Error('a read must return a value for each key');
        if (value instanceof Error) reject(value);
        else resolve(value);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /**
   * The next query starts when this one has ended, or at the end of the turn if reads have come in this turn. It
   * does not wait for `valuesOf`.
   */
  private async query(keys: readonly Key[]): Promise<Found> {
    this.running += 1;
    try {
      return await this.options.query(keys);
    } finally {
      this.running -= 1;
      if (!this.isScheduled) this.startQueries();
    }
  }
}
