import { quantile } from '../../support/statistics.ts';
import { LINES, zero, type Finding } from '../../support/findings.ts';
import { SLOWDOWN, type Fault } from '../program.ts';
import type { FaultTime, Prober } from './prober.ts';
import { runOnce, type Run } from './run.ts';

/** Largest p99 of the outages in milliseconds after kills. */
const KILL_MS = 4_000;
/** Longest outage in milliseconds after a step-down. */
const STEP_DOWN_MS = 1_000;
/** Longest outage as a multiple of that of MongoDB's driver alone: an election may itself take more than a second. */
const TIMES_DRIVER = 1.25;

/** Checks that everything that was acknowledged is stored once, and that writes are accepted again in time. */
export const WRITES: Fault = {
  name: 'writes',
  isInReducedForm: true,
  async run(form) {
    const run = await runOnce(form);
    const killMost = KILL_MS * SLOWDOWN[form];
    const stepDownMost = STEP_DOWN_MS * SLOWDOWN[form];
    const { comparison, ledger, written, faults, prober, driver, serverErrors } = run;
    const [killed, steppedDown] = ['primary killed', 'primary stepped down'].map((name) =>
      faults.filter((fault) => fault.name === name),
    ) as [FaultTime[], FaultTime[]];
    const afterKill = killed.map((fault) => prober.longestOutage(fault));
    const afterStepDown = longestOf(prober, steppedDown);
    const driverAfterStepDown = longestOf(driver, steppedDown);
    const refused = steppedDown.flatMap(({ at, healedAt }) => prober.failuresBetween(at, healedAt));
    const slowest = quantile(afterKill, 0.99);
    const count = ledger.acknowledged.length;
    const all = `${faults.length} faults`;
    return [
      ...storedFindings(run, all),
      zero(
        'each scheduled publication is made once',
        all,
        comparison.schedules,
        written.scheduled.length,
      ),
      {
        what: 'time without an accepted write',
        group: `${killed.length} × primary killed`,
        threshold: `p99 ≤ ${killMost} ms`,
        measured: `${Math.round(slowest)} ms`,
        isMet: slowest <= killMost,
        history: historyOf(run, killed),
      },
      {
        what: 'errors, and time without an accepted write',
        group: `${steppedDown.length} × primary stepped down`,
        threshold: `0, ≤ ${stepDownMost} ms or ${TIMES_DRIVER} x the time of the driver alone`,
        measured: `${refused.length}, ${Math.round(afterStepDown)} ms, driver ${Math.round(driverAfterStepDown)} ms`,
        isMet:
          steppedDown.length > 0 &&
          refused.length === 0 &&
          afterStepDown <= Math.max(stepDownMost, TIMES_DRIVER * driverAfterStepDown),
        history: historyOf(run, steppedDown),
      },
      zero('refusals are 503 with Retry-After', all, run.complaints, count),
      zero('no server logs an uncaught error', all, serverErrors, count),
    ].map((finding) => ({
      ...finding,
      history: [`seed ${run.seed}`, ...(finding.history ?? [])],
    }));
  },
};

function longestOf(prober: Prober, faults: readonly FaultTime[]): number {
  return Math.max(...faults.map((fault) => prober.longestOutage(fault)));
}

/** Checks that everything that was acknowledged is stored once. @param all description of all faults of the run */
export function storedFindings(run: Run, all: string): readonly Finding[] {
  const { comparison, ledger, written, undelivered } = run;
  const count = ledger.acknowledged.length;
  const lost = withLedger(comparison.lost, run);
  return [
    {
      ...zero('no acknowledged write is lost', all, [...lost, ...written.errors], count),
      measured: String(comparison.lost.length + written.errors.length),
    },
    zero('a POST repeated with one key creates one record', all, comparison.doubled, count),
    zero('each submission and publication has one revision', all, comparison.revisions, count),
    zero('each transition has one event, in order', all, comparison.events, count),
    zero('each event is sent to the webhook', all, undelivered, count),
  ];
}

/** @returns the violations by record, each group with the acknowledged writes of its record */
function withLedger(violations: readonly string[], { ledger }: Run): string[] {
  const idOf = (line: string) => /[0-9a-f]{24}/.exec(line)?.[0] ?? '';
  return [...Map.groupBy(violations, idOf)].flatMap(([id, lines]) => [
    ...lines,
    ...ledger.acknowledged
      .filter((entry) => id !== '' && (entry.id === id || entry.what.endsWith(id)))
      .map(({ time, what }) => `  ${time} acknowledged ${what}`),
  ]);
}

/** @returns a line for each fault, with the outage and the failed probes */
function historyOf({ prober }: Run, faults: readonly FaultTime[]): string[] {
  return faults.flatMap((fault) => {
    const { name, at, healedAt } = fault;
    const failures = prober
      .failuresBetween(at, healedAt)
      .map(
        ({ sentAt, answeredAt, result }) =>
          `+${Math.round(sentAt - at)} ms: ${result} after ${Math.round(answeredAt - sentAt)} ms`,
      );
    const outage = Math.round(prober.longestOutage(fault));
    return [`${name}: no 2xx for ${outage} ms; ${failures.slice(0, LINES).join(', ')}`];
  });
}
