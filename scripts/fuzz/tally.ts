import { table } from '../support/table.ts';
import type { Job, Outcome } from './schemathesis.ts';

type Totals = Omit<Outcome, 'report'>;

/** Adds up the results of the jobs and prints them. */
export class Tally {
  readonly #startedAt = performance.now();
  /** Totals by identity, in the order of their first jobs. */
  readonly #identities = new Map<string, Totals>();
  readonly #messages: string[] = [];

  cases = 0;
  failures = 0;

  add({ identity, seconds, seed }: Job, { report, ...outcome }: Outcome): void {
    const { cases, failures, answers, accepted } = outcome;
    const before = this.#identities.get(identity);
    this.#identities.set(identity, {
      cases: cases + (before?.cases ?? 0),
      failures: failures + (before?.failures ?? 0),
      accepted: accepted + (before?.accepted ?? 0),
      answers: sumOf(before?.answers ?? {}, answers),
    });
    this.cases += cases;
    this.failures += failures;
    // The report is printed at once, because a long run may be interrupted.
    if (report !== '') console.log(`--- ${identity}, seed ${seed}\n${report}`);
    console.log(
      `${identity}: ${cases} cases in ${seconds} s, ${failures} failures ` +
        `(${this.cases} cases so far, ${this.#seconds().toFixed(0)} s)`,
    );
  }

  fail(message: string): void {
    this.failures += 1;
    this.#messages.push(message);
  }

  /** Adds a failure for each identity whose credentials were never accepted: its cases have tested only refusals. */
  checkAccess(): void {
    for (const [identity, { accepted }] of this.#identities) {
      if (accepted === 0) this.fail(`${identity}: was never accepted`);
    }
  }

  /** @returns the totals, and the operations that never answered 200. A short run need not reach every operation. */
  report(): string {
    const all = new Set<string>();
    const reached = new Set<string>();
    const rows = [...this.#identities].map(([identity, { cases, failures, answers }]) => {
      const names = Object.keys(answers);
      const successful = names.filter((name) => (answers[name]?.['200'] ?? 0) > 0);
      for (const name of names) all.add(name);
      for (const name of successful) reached.add(name);
      return [identity, String(cases), `${successful.length} of ${names.length}`, String(failures)];
    });
    const unreached = [...all].filter((name) => !reached.has(name));
    return [
      '',
      ...this.#messages,
      table([['identity', 'cases', 'operations with 200', 'failures'], ...rows]),
      unreached.length > 0
        ? `never answered 200: ${unreached.join(', ')}`
        : 'each operation answered 200',
      `${(this.cases / this.#seconds()).toFixed(0)} cases a second`,
      '',
    ].join('\n');
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }
}

function sumOf(left: Outcome['answers'], right: Outcome['answers']): Outcome['answers'] {
  const sum: Record<string, Record<string, number>> = structuredClone(left);
  for (const [operation, counts] of Object.entries(right)) {
    const entry = (sum[operation] ??= {});
    for (const [status, count] of Object.entries(counts)) {
      entry[status] = (entry[status] ?? 0) + count;
    }
  }
  return sum;
}
