import { table } from '../table.mjs';

const SHOWN_FAILURES = 20;

/** Keeps count of what was checked and how long each step took, and prints it. */
export class Recorder {
  /** In the order of their first use. */
  #steps = new Map();
  #failures = [];
  #startedAt = performance.now();

  passed = 0;

  get failed() {
    return this.#failures.length;
  }

  /** @returns whether the check holds, so that what builds on it can be left out */
  check(step, holds, what) {
    if (!holds) return this.fail(step, what);
    this.passed += 1;
    this.#of(step).passed += 1;
    return true;
  }

  fail(step, what) {
    this.#failures.push(`${step}: ${what}`);
    this.#of(step).failed += 1;
    return false;
  }

  time(step, milliseconds) {
    this.#of(step).times.push(milliseconds);
  }

  report() {
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

  #of(step) {
    let entry = this.#steps.get(step);
    if (!entry) {
      entry = { times: [], passed: 0, failed: 0 };
      this.#steps.set(step, entry);
    }
    return entry;
  }
}

function columnsOf({ times, passed, failed }) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) =>
    sorted.length === 0 ? '' : sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)].toFixed(1);
  return [times.length, passed + failed, failed, at(0), at(0.5), at(0.95), at(1)].map(String);
}
