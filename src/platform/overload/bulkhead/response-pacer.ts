/** Milliseconds between two batches. */
const INTERVAL_MS = 10;

/**
 * Number of responses in a batch. Five every 10 ms are 500 a second, about 5 % of what the event loop can
 * send.
 */
const BATCH_SIZE = 5;

/**
 * Largest number of responses that are held: as many as are sent in two seconds. Holding more would cost more
 * than sending them.
 */
const MAX_HELD = 1_000;

/**
 * Delays responses that are cheap to produce, such as rejections. Clients that retry at once then
 * cannot saturate the event loop, and clients that obey `Retry-After` do not all retry at once.
 */
export class ResponsePacer {
  private readonly held: (() => void)[] = [];

  private timer: NodeJS.Timeout | null = null;

  /**
   * Resolves when the caller may respond, in order of arrival; at once if MAX_HELD responses are already
   * held.
   */
  async waitTurn(): Promise<void> {
    if (this.held.length >= MAX_HELD) return;
    await new Promise<void>((resolve) => {
      this.held.push(resolve);
      this.timer ??= setInterval(() => this.releaseBatch(), INTERVAL_MS);
    });
  }

  private releaseBatch(): void {
    for (const release of this.held.splice(0, BATCH_SIZE)) release();
    if (this.held.length > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
