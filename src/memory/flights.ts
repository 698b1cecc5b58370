/** Without a lease, nobody joins what began earlier: it may have read what has changed since. */
const JOINABLE_MS = 500;

interface Flight<Value> {
  readonly startedAt: number;
  readonly result: Promise<Value>;
}

/** Joins those who want the same at the same time: one does the work, all get its result. */
export class Flights<Value> {
  private readonly flights = new Map<string, Flight<Value>>();

  /**
   * @param isHeld whether the lease is held: then a change ends flights by the generation in their
   * key, as soon as it is known
   * @param now milliseconds of the monotonic clock
   */
  constructor(
    private readonly isHeld: () => boolean,
    private readonly now: () => number,
  ) {}

  /**
   * @param key what is wanted, with the generation: who asks after a change must not get what was
   * read before it
   */
  async join(key: string, work: () => Promise<Value>): Promise<Value> {
    const known = this.flights.get(key);
    if (known && (this.isHeld() || this.now() - known.startedAt < JOINABLE_MS)) {
      return known.result;
    }
    const flight = { startedAt: this.now(), result: work() };
    this.flights.set(key, flight);
    try {
      return await flight.result;
    } finally {
      if (this.flights.get(key) === flight) this.flights.delete(key);
    }
  }
}
