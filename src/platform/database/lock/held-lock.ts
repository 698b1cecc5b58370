import { LockLostError } from './lock-lost.error.js';

/** Duration of a lock in milliseconds. The job of a killed process can be claimed after at most this time. */
export const LOCK_MS = 15_000;

/** Interval of the renewals in milliseconds. A lock outlasts one failed renewal, but not two in a row. */
const RENEW_MS = LOCK_MS / 3;

/**
 * A lock that is renewed as long as the work goes on. It counts as lost when another process has claimed it
 * or when no renewal has succeeded for LOCK_MS.
 */
export class HeldLock {
  private readonly lost = new AbortController();
  private readonly renewTimer = setInterval(() => void this.renewOnce(), RENEW_MS).unref();
  private lossTimer: NodeJS.Timeout | undefined;
  private endsAt = -Infinity;

  /**
   * @param job name of the job that the lock is for
   * @param claimedAt when the claim was sent, on the clock of `performance.now()`
   * @param renew resolves to false when another process has claimed the lock
   */
  constructor(
    private readonly job: string,
    claimedAt: number,
    private readonly renew: () => Promise<boolean>,
  ) {
    this.extend(claimedAt);
  }

  /** Aborted when the lock is lost. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /**
   * Checks that the lock is held. Compares times as well, because a process that was suspended may resume
   * the work before its timers fire.
   *
   * @throws LockLostError
   */
  check(): void {
    if (performance.now() >= this.endsAt) this.lost.abort();
    if (this.lost.signal.aborted) throw new LockLostError(this.job);
  }

  /** Stops the renewals. It does not release the lock. */
  end(): void {
    clearInterval(this.renewTimer);
    clearTimeout(this.lossTimer);
  }

  private async renewOnce(): Promise<void> {
    const sentAt = performance.now();
    // A renewal that fails does not lose the lock, because a failover is shorter than LOCK_MS.
    const isHeld = await this.renew().catch(() => null);
    if (isHeld === true) this.extend(sentAt);
    if (isHeld === false) this.lost.abort();
  }

  private extend(from: number): void {
    this.endsAt = Math.max(this.endsAt, from + LOCK_MS);
    clearTimeout(this.lossTimer);
    const remainingMs = this.endsAt - performance.now();
    this.lossTimer = setTimeout(() => this.lost.abort(), remainingMs).unref();
  }
}
