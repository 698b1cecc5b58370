import { table } from '../support/table.ts';

const SHOWN_FAILURES = 20;

interface Step {
  /** The duration of each request, in milliseconds. */
  readonly times: number[];
  passed: number;
  failed: number;
}

/** Counts the checks and measures the requests of each step, and makes the report. */
export class Recorder {
  /** The steps, in the order of their first use. */
  readonly #steps = new Map<string, Step>();
  readonly #failures: string[] = [];
  readonly #startedAt = performance.now();

  passed = 0;

  get failed(): number {
    return this.#failures.length;
  }

  /**
   * Records a check.
   *
   * @returns `holds`, so that the caller can leave out later steps
   */
  check(step: string, holds: boolean, failure: string): boolean {
    if (!holds) {
      this.fail(step, failure);
      return false;
    }
    this.passed += 1;
    this.#stepOf(step).passed += 1;
    return true;
  }

  fail(step: string, failure: string): void {
    this.#failures.push(`${step}: ${failure}`);
    this.#stepOf(step).failed += 1;
  }

  time(step: string, milliseconds: number): void {
    this.#stepOf(step).times.push(milliseconds);
  }

  report(): string {
    const header = ['step', 'requests', 'checks', 'failed', 'min ms', 'p50 ms', 'p95 ms', 'max ms'];
    const rows = [...this.#steps].map(([name, step]) => [name, ...columnsOf(step)]);
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const requests = [...this.#steps.values()].reduce((sum, { times }) => sum + times.length, 0);
    return [
      '',
      ...this.#failures.slice(0, SHOWN_FAILURES).map((failure) => `FAILED ${failure}`),
      ...(this.failed > SHOWN_FAILURES ? [`… and ${this.failed - SHOWN_FAILURES} more`] : []),
      ...(this.failed > 0 ? [''] : []),
      table([header, ...rows]),
      '',
      `${requests} requests, one after another, in ${seconds.toFixed(1)} s`,
      `journey: ${this.passed} passed, ${this.failed} failed`,
    ].join('\n');
  }

  #stepOf(name: string): Step {
    const step = this.#steps.get(name) ?? { times: [], passed: 0, failed: 0 };
    this.#steps.set(name, step);
    return step;
  }
}

function columnsOf({ times, passed, failed }: Step): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number): string =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]?.toFixed(1) ?? '';
  const quantiles = [0, 0.5, 0.95, 1].map(quantile);
  return [times.length, passed + failed, failed, ...quantiles].map(String);
}
