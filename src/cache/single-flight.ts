import type { Area } from './changes.js';
import type { CacheCoherenceService } from './cache-coherence.service.js';

/** Nobody joins what began earlier: what it has read may have changed since. */
const JOINABLE_WITHOUT_LEASE_MS = 500;

interface Flight<Value> {
  readonly startedAt: number;
  readonly result: Promise<Value>;
}

/**
 * Joins those who want the same at the same time: one does the work, all get its result. Who asks
 * after a change never gets what was read before it.
 */
export class SingleFlight<Value> {
  private readonly flights = new Map<string, Flight<Value>>();

  constructor(
    private readonly coherence: CacheCoherenceService,
    private readonly area: Area,
  ) {}

  /** @param key what is wanted */
  async join(key: string, work: () => Promise<Value>): Promise<Value> {
    const name = `${this.coherence.generationOf(this.area)} ${key}`;
    const known = this.flights.get(name);
    if (known && this.isJoinable(known)) return known.result;
    const flight = { startedAt: this.coherence.clock.monotonic(), result: work() };
    this.flights.set(name, flight);
    try {
      return await flight.result;
    } finally {
      if (this.flights.get(name) === flight) this.flights.delete(name);
    }
  }

  /** With the lease, a change of others ends a flight as soon as it is known. */
  private isJoinable({ startedAt }: Flight<Value>): boolean {
    return (
      this.coherence.isServing() ||
      this.coherence.clock.monotonic() - startedAt < JOINABLE_WITHOUT_LEASE_MS
    );
  }
}
