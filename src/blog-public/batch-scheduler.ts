/** Queries that run at once: the database works on one while the answers of the other are sent. */
const MAX_QUERIES = 2;

type Dispatch = () => void;

/**
 * When a data loader asks the database. What is wanted within one turn of the event loop goes into one
 * query; while the queries that may run are running, what is wanted gathers for the next one. A look-up
 * alone waits for nobody, and under load dozens of them cost the driver and the database little more
 * than one.
 */
export class BatchScheduler {
  readonly options;

  private running = 0;
  private readonly waiting: Dispatch[] = [];

  /** @param maxBatchSize look-ups of one query at most */
  constructor(maxBatchSize: number) {
    this.options = {
      cache: false,
      maxBatchSize,
      batchScheduleFn: (dispatch: Dispatch): void => {
        setImmediate(() => this.start(dispatch));
      },
    } as const;
  }

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
