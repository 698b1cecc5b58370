/** So many are let go at a time: 500 a second, a twentieth of what the event loop can do. */
const STEP_MS = 10;
const LET_GO = 5;

/** Beyond these, two seconds of them, to keep one costs more than to let it go. */
const MAX_HELD = 1_000;

/**
 * Holds answers back for a moment that cost nothing to make, such as refusals, so that clients who ask
 * again at once cannot keep the event loop busy with them, and those who wait as told do not all come
 * back in the same millisecond.
 */
export class ResponsePacer {
  private readonly held: (() => void)[] = [];

  private timer: NodeJS.Timeout | null = null;

  /** Resolves when the next answer may be sent: mostly after 10 ms, in the order of the calls. */
  async turn(): Promise<void> {
    if (this.held.length >= MAX_HELD) return;
    await new Promise<void>((resolve) => {
      this.held.push(resolve);
      this.timer ??= setInterval(() => this.letGo(), STEP_MS);
    });
  }

  private letGo(): void {
    for (const go of this.held.splice(0, LET_GO)) go();
    if (this.held.length > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
