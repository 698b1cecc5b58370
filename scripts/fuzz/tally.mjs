import { table } from '../table.mjs';

/** Adds up what the jobs have sent and found, and prints it. */
export class Tally {
  #startedAt = performance.now();
  /** By identity, in the order of its first job. */
  #identities = new Map();
  #failures = [];

  cases = 0;
  failures = 0;

  add({ identity, seconds, seed }, { cases, failures, answers, letIn, report }) {
    const entry = this.#identities.get(identity) ?? newEntry();
    this.#identities.set(identity, entry);
    entry.cases += cases;
    entry.failures += failures;
    entry.letIn += letIn;
    for (const [operation, counts] of Object.entries(answers)) {
      const sum = (entry.answers[operation] ??= {});
      for (const [status, count] of Object.entries(counts)) {
        sum[status] = (sum[status] ?? 0) + count;
      }
    }
    this.cases += cases;
    this.failures += failures;
    // At once: a long run may be ended before its end.
    if (report !== '') console.log(`--- ${identity}, seed ${seed}\n${report}`);
    console.log(
      `${identity}: ${cases} cases in ${seconds} s, ${failures} failures ` +
        `(${this.cases} cases so far, ${this.#seconds().toFixed(0)} s)`,
    );
  }

  fail(what) {
    this.failures += 1;
    this.#failures.push(what);
  }

  /** An identity that was never let in has tested nothing but refusals. */
  checkAccess() {
    for (const [identity, { letIn }] of this.#identities) {
      if (letIn === 0) this.fail(`${identity}: was never let in`);
    }
  }

  /** Says, too, which operations only ever refused: in a short run, some moves of a blog may. */
  report() {
    const operations = new Map();
    const rows = [...this.#identities].map(([identity, { cases, failures, answers }]) => {
      const reached = Object.entries(answers).filter(([, counts]) => counts['200'] > 0);
      for (const [name] of Object.entries(answers)) operations.set(name, operations.get(name) ?? 0);
      for (const [name] of reached) operations.set(name, 1);
      return [
        identity,
        String(cases),
        `${reached.length} of ${Object.keys(answers).length}`,
        String(failures),
      ];
    });
    const unreached = [...operations].filter(([, isReached]) => !isReached).map(([name]) => name);
    return [
      '',
      ...this.#failures,
      table([['identity', 'cases', 'operations with 200', 'failures'], ...rows]),
      unreached.length > 0 ? `never answered 200: ${unreached.join(', ')}` : 'each answered 200',
      `${(this.cases / this.#seconds()).toFixed(0)} cases a second`,
      '',
    ].join('\n');
  }

  #seconds() {
    return (performance.now() - this.#startedAt) / 1_000;
  }
}

function newEntry() {
  return { cases: 0, failures: 0, letIn: 0, answers: {} };
}
