/** 5 responses every 10 ms: 500 a second, about a twentieth of what the event loop can send. */
const INTERVAL_MS = 10;
const BATCH_SIZE = 5;

/** Two seconds' worth. Beyond that, holding a response costs more than sending it. */
const MAX_HELD = 1_000;

/**
 * Delays responses that are cheap to produce, such as rejections. Clients that retry at once then
 * cannot saturate the event loop, and those that obey `Retry-After` do not all return in the same
 * millisecond.
 */
export class ResponsePacer {
  private readonly held: (() => void)[] = [];

  private timer: NodeJS.Timeout | null = null;

  /** Resolves when the caller may respond, in the order of the calls; at once when too many wait. */
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
