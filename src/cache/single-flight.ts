import type { CacheSubject } from '../common/cache-subject.js';
import type { CacheCoherenceService } from './cache-coherence.service.js';
import { Generation } from './generation.js';

/** Without the lease changes of others are noticed late: a call is shared for so long only. */
const SHARED_WITHOUT_LEASE_MS = 500;

interface Call<Value> {
  readonly startedAt: number;
  readonly result: Promise<Value>;
}

/**
 * Single flight (request coalescing): callers who ask for the same key at the same time share one
 * call and its result, as in Go's `golang.org/x/sync/singleflight`. A caller who comes after a change
 * of the subjects never shares a call that began before it.
 */
export class SingleFlight<Value> {
  private readonly calls = new Map<string, Call<Value>>();
  private readonly generation: Generation;

  /** @param subjects what the values are read from */
  constructor(
    private readonly coherence: CacheCoherenceService,
    subjects: readonly CacheSubject[],
  ) {
    this.generation = new Generation(coherence, subjects);
  }

  /** @param work called unless a call for the key is under way */
  async join(key: string, work: () => Promise<Value>): Promise<Value> {
    const name = `${this.generation.current} ${key}`;
    const known = this.calls.get(name);
    if (known && this.isShared(known)) return known.result;
    const call = { startedAt: this.coherence.clock.monotonic(), result: work() };
    this.calls.set(name, call);
    try {
      return await call.result;
    } finally {
      if (this.calls.get(name) === call) this.calls.delete(name);
    }
  }

  private isShared({ startedAt }: Call<Value>): boolean {
    return (
      this.coherence.isServing() ||
      this.coherence.clock.monotonic() - startedAt < SHARED_WITHOUT_LEASE_MS
    );
  }
}
