import { quantile } from '../../support/statistics.ts';
import { LINES, zero, type Finding } from '../../support/findings.ts';
import { SLOWDOWN, type Fault } from '../program.ts';
import type { FaultTime, Prober } from './prober.ts';
import { runOnce, type Run } from './run.ts';

/** Largest p99, in milliseconds, that outages after kills of the primary may have. */
const KILL_MS = 4_000;
/** Milliseconds that an outage after a step-down may last, or longer if the driver needs longer: see TIMES_DRIVER. */
const STEP_DOWN_MS = 1_000;
/** Factor by which that outage may exceed the one of MongoDB's driver alone: an election may take over a second. */
const TIMES_DRIVER = 1.25;

/** Checks that everything that was acknowledged is stored once, and that writes are accepted again in time. */
export const WRITES: Fault = {
  name: 'writes',
  isInReducedForm: true,
  async run(form) {
    const run = await runOnce(form);
    const killLimit = KILL_MS * SLOWDOWN[form];
    const stepDownLimit = STEP_DOWN_MS * SLOWDOWN[form];
    const { comparison, ledger, written, faults, prober, driver, serverErrors } = run;
    const [killed, steppedDown] = ['primary killed', 'primary stepped down'].map((name) =>
      faults.filter((fault) => fault.name === name),
    ) as [FaultTime[], FaultTime[]];
    const afterKill = killed.map((fault) => prober.longestOutage(fault));
    const afterStepDown = longestOf(prober, steppedDown);
    const driverAfterStepDown = longestOf(driver, steppedDown);
    const errors = steppedDown.flatMap(({ at, healedAt }) => prober.failuresBetween(at, healedAt));
    const slowest = quantile(afterKill, 0.99);
    const count = ledger.acknowledged.length;
    const group = `${faults.length} faults`;
    return [
      ...storedFindings(run, group),
      zero(
        'each scheduled publication is made once',
        group,
        comparison.schedules,
        written.scheduled.length,
      ),
      {
        what: 'time without an accepted write',
        group: `${killed.length} × primary killed`,
        threshold: `p99 ≤ ${killLimit} ms`,
        measured: `${Math.round(slowest)} ms`,
        isMet: slowest <= killLimit,
        history: historyOf(run, killed),
      },
      {
        what: 'errors, and time without an accepted write',
        group: `${steppedDown.length} × primary stepped down`,
        threshold: `0, ≤ ${stepDownLimit} ms or ${TIMES_DRIVER} x the time of the driver alone`,
        measured: `${errors.length}, ${Math.round(afterStepDown)} ms, driver ${Math.round(driverAfterStepDown)} ms`,
        isMet:
          steppedDown.length > 0 &&
          errors.length === 0 &&
          afterStepDown <= Math.max(stepDownLimit, TIMES_DRIVER * driverAfterStepDown),
        history: historyOf(run, steppedDown),
      },
      zero('refusals are 503 with Retry-After', group, run.complaints, count),
      zero('no server logs an uncaught error', group, serverErrors, count),
    ].map((finding) => ({
      ...finding,
      history: [`seed ${run.seed}`, ...(finding.history ?? [])],
    }));
  },
};

function longestOf(prober: Prober, faults: readonly FaultTime[]): number {
  return Math.max(...faults.map((fault) => prober.longestOutage(fault)));
}

/** Checks that everything that was acknowledged is stored once. @param group description of the faults of the run */
export function storedFindings(run: Run, group: string): readonly Finding[] {
  const { comparison, ledger, written, undelivered } = run;
  const count = ledger.acknowledged.length;
  const lost = withLedger(comparison.lost, run);
  return [
    {
      ...zero('no acknowledged write is lost', group, [...lost, ...written.errors], count),
      measured: String(comparison.lost.length + written.errors.length),
    },
    zero('a POST repeated with one key creates one record', group, comparison.doubled, count),
    zero('each submission and publication has one revision', group, comparison.revisions, count),
    zero('each transition has one event, in order', group, comparison.events, count),
    zero('each event is sent to the webhook', group, undelivered, count),
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
