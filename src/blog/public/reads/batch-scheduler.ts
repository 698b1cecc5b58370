/**
 * Number of queries that run at a time. MongoDB works on one while this process uses the result of
 * the other.
 */
const MAX_QUERIES = 2;

type Dispatch = () => void;

/**
 * Decides when data loaders send their batches (docs/adr/0010). Keys that are requested within one
 * turn of the event loop go into one query. While two queries run, requested keys are collected for
 * the next query. So a read never waits for a timer, and under load dozens of reads share a query.
 */
export class BatchScheduler {
  private running = 0;
  private readonly waiting: Dispatch[] = [];

  /** The function that a data loader takes as `batchScheduleFn`. */
  readonly schedule = (dispatch: Dispatch): void => {
    setImmediate(() => this.start(dispatch));
  };

  /** Tells the scheduler that a query has ended. Call it once for each batch that was dispatched. */
  ended(): void {
    this.running -= 1;
    const next = this.waiting.shift();
    if (next) this.start(next);
  }

  private start(dispatch: Dispatch): void {
    if (this.running >= MAX_QUERIES) {
      this.waiting.push(dispatch);
      return;
    }
    this.running += 1;
    dispatch();
  }
}
