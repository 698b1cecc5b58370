import type { CacheSubject } from './cache-subject.js';
import type { CacheCoherenceService } from './cache-coherence.service.js';
import { Generation } from './generation.js';

/**
 * Largest age in milliseconds at which a call is shared while the process does not hold the lease. The limit
 * is needed because without the lease the process notices changes by other processes late.
 */
const SHARED_WITHOUT_LEASE_MS = 500;

interface Call<Value> {
  readonly startedAt: number;
  readonly result: Promise<Value>;
}

/**
 * Single flight (request coalescing): concurrent callers for the same key share one call and its
 * result, as in Go's `golang.org/x/sync/singleflight`. A caller that comes after a change of the
 * subjects does not share a call that began before this change.
 */
export class SingleFlight<Value> {
  private readonly calls = new Map<string, Call<Value>>();
  private readonly generation: Generation;

  /** @param subjects the subjects whose changes make a value out of date */
  constructor(
    private readonly coherence: CacheCoherenceService,
    subjects: readonly CacheSubject[],
  ) {
    this.generation = new Generation(coherence, subjects);
  }

  /** @param work makes the call; it runs unless the caller can share a call that is under way */
  async join(key: string, work: () => Promise<Value>): Promise<Value> {
    const name = `${this.generation.current} ${key}`;
    const known = this.calls.get(name);
    if (known && this.canBeShared(known)) return known.result;
    const call = { startedAt: this.coherence.clock.monotonic(), result: work() };
    this.calls.set(name, call);
    try {
      return await call.result;
    } finally {
      if (this.calls.get(name) === call) this.calls.delete(name);
    }
  }

  private canBeShared({ startedAt }: Call<Value>): boolean {
    return (
      this.coherence.isServing() ||
      this.coherence.clock.monotonic() - startedAt < SHARED_WITHOUT_LEASE_MS
    );
  }
}
