/** Lets the next one in; to be called once. */
export type Leave = () => void;

export interface BoundedQueueOptions {
  /** How many are in at a time. */
  readonly width: number;
  /** How many may wait to be let in. */
  readonly length: number;
  readonly maxWaitMs: number;
}

/** First come, first served; and nobody waits for ever. */
export class BoundedQueue {
  private readonly options: BoundedQueueOptions;

  /** How many are in. */
  private inside = 0;

  /** What lets each of them in, in the order in which they came. */
  private readonly waiting = new Set<() => void>();

  constructor(options: BoundedQueueOptions) {
    this.options = options;
  }

  /** Waits until there is room. @returns null when the line is full, or has not moved in time */
  async enter(): Promise<Leave | null> {
    if (this.inside < this.options.width) {
      this.inside += 1;
      return this.leave;
    }
    return this.waiting.size < this.options.length ? this.turn() : null;
  }

  private turn(): Promise<Leave | null> {
    return new Promise((resolve) => {
      const letIn = (): void => {
        clearTimeout(timer);
        resolve(this.leave);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(letIn);
        resolve(null);
      }, this.options.maxWaitMs);
      this.waiting.add(letIn);
    });
  }

  /** Hands the place over to whoever is next, so that nobody slips in between. */
  private readonly leave = (): void => {
    for (const letIn of this.waiting) {
      this.waiting.delete(letIn);
      letIn();
      return;
    }
    this.inside -= 1;
  };
}
