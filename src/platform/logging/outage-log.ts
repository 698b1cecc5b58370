import type { FastifyBaseLogger } from 'fastify';

/** Interval of the lines about an outage, in milliseconds. */
const REPORT_MS = 10_000;

interface Failure {
  /** The logger of the request. */
  readonly log: FastifyBaseLogger;
  readonly err: unknown;
}

/**
 * Logs why requests fail while the database is out of reach. Thousands may fail in a second, and each cause
 * with its stack takes 2 KB. So only the first cause is logged at once. As long as requests fail, a line
 * follows every ten seconds with the number of further failures and the latest cause.
 */
export class OutageLog {
  private failures = 0;
  private latest: Failure | null = null;
  private isCounting = false;

  /** @param failure failure of a request that got 503 */
  add(failure: Failure): void {
    if (this.isCounting) {
      this.failures += 1;
      this.latest = failure;
      return;
    }
    failure.log.error({ err: failure.err }, 'the database cannot be reached');
    this.startCounting();
  }

  private startCounting(): void {
    this.isCounting = true;
    setTimeout(() => this.report(), REPORT_MS).unref();
  }

  private report(): void {
    const { failures, latest } = this;
    this.isCounting = false;
    if (!latest) return;
    [this.failures, this.latest] = [0, null];
    latest.log.error(
      { err: latest.err, requests: failures },
      'the database cannot be reached: more requests have failed, counted here',
    );
    this.startCounting();
  }
}
