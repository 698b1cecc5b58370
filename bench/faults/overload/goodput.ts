import { sum } from 'simple-statistics';
import { quantile } from '../../support/statistics.ts';
import type { LoadReport } from './load.ts';
import { KINDS, type Kind } from './requests.ts';
import type { Answers } from './findings.ts';

/** Processor seconds that the server takes for an answer of each kind. */
export type Costs = Readonly<Record<Kind, number>>;

/** Milliseconds at the beginning of a load whose answers are not counted. */
const BEGIN_MS = 1_000;

/**
 * Finds the latencies of the answers of status 200 that arrived after BEGIN_MS and before the end of the load. Too few
 * arrive before BEGIN_MS, and some arrive after the end: in a short load both would distort the rate.
 */
function answerLatencies(
  { statuses, latencies, dues, kinds, seconds }: LoadReport,
  kind?: Kind,
): number[] {
  return latencies.filter((latency, at) => {
    const answeredMs = (dues[at] ?? 0) + latency;
    return (
      statuses[at] === 200 &&
      (kind === undefined || kinds[at] === kind) &&
      answeredMs >= BEGIN_MS &&
      answeredMs <= seconds * 1_000
    );
  });
}

/** @returns the length in seconds of the time whose answers `answerLatencies` includes */
function secondsOf({ seconds }: LoadReport): number {
  return seconds - BEGIN_MS / 1_000;
}

/** @returns the processor seconds of the server that the answers of one second are worth */
export function goodput(reports: readonly LoadReport[], costs: Costs): number {
  const processorSeconds = reports.flatMap((report) =>
    KINDS.map((kind) => answerLatencies(report, kind).length * costs[kind]),
  );
  return sum(processorSeconds) / sum(reports.map(secondsOf));
}

/** @returns answers a second */
export function answerRate(reports: readonly LoadReport[]): number {
  return sum(reports.map((report) => answerLatencies(report).length)) / sum(reports.map(secondsOf));
}

export function merge(reports: readonly LoadReport[]): Answers {
  return {
    kinds: reports.flatMap(({ kinds }) => kinds),
    statuses: reports.flatMap(({ statuses }) => statuses),
    latencies: reports.flatMap(({ latencies }) => latencies),
    problems: reports.flatMap(({ problems }) => problems),
    seconds: sum(reports.map(({ seconds }) => seconds)),
  };
}

export function describe(report: LoadReport, costs: Costs): string {
  const { statuses, clientBusy } = report;
  const seconds = secondsOf(report);
  const perKind = KINDS.map(
    (kind) => `${kind} ${Math.round(answerLatencies(report, kind).length / seconds)}`,
  );
  return [
    `${Math.round(answerRate([report]))}/s of ${Math.round(statuses.length / report.seconds)}/s`,
    `goodput ${goodput([report], costs).toFixed(3)}`,
    `p99 ${Math.round(quantile(answerLatencies(report), 0.99))} ms`,
    `client busy ${clientBusy.toFixed(2)}, ${perKind.join(', ')}`,
  ].join(', ');
}
