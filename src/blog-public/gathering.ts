/** Articles of one query at most: so many of the longest would be 6 MB. */
const MAX_BATCH = 64;

/** Queries that run at once: the database works on one while the answers of the other are sent. */
const MAX_QUERIES = 2;

type Dispatch = () => void;

/**
 * When a data loader asks the database. What is wanted within one turn of the event loop goes into one
 * query; while the queries that may run are running, what is wanted gathers for the next one. A look-up
 * alone waits for nobody, and under load dozens of them cost the driver and the database little more
 * than one.
 */
export class Gathering {
  readonly options = {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: (dispatch: Dispatch): void => {
      setImmediate(() => this.start(dispatch));
    },
  } as const;

  private running = 0;
  private readonly waiting: Dispatch[] = [];

  /** @param query of a batch that was dispatched; its end makes room for the next one */
  async run<Result>(query: () => Promise<Result>): Promise<Result> {
    try {
      return await query();
    } finally {
      this.running -= 1;
      const next = this.waiting.shift();
      if (next) this.start(next);
    }
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
