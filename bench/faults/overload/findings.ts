import { quantile } from '../../support/statistics.ts';
import type { Finding } from '../../support/findings.ts';
import type { LoadReport } from './load.ts';
import { KINDS, type Kind } from './requests.ts';
import type { Watched } from './watch.ts';

export type Answers = Omit<LoadReport, 'dues' | 'clientBusy'>;

export interface Figures extends Watched {
  /** Answers a second at the peak and under overload. */
  readonly rates: { readonly peak: number; readonly overload: number };
  readonly atATime: number;
  /** Requests a second under overload, as a multiple of the answers a second at the peak. */
  readonly times: number;
  /** Number of times that peak and overload were measured. */
  readonly turns: number;
  /** Goodput at the peak and under overload: the processor seconds that the answers of one second are worth. */
  readonly goodputs: { readonly peak: number; readonly overload: number };
  readonly reports: {
    readonly peak: Answers;
    readonly overload: Answers;
    readonly after: LoadReport;
  };
  /** Seconds between the overload and the load afterwards, in which nothing was measured. */
  readonly unseenSeconds: number;
}

const KEPT_GOODPUT = 0.9;
const SLOWDOWN = 2;
/**
 * Factor by which the p99 of refusals must be shorter than that of admitted requests. The limit is relative, because
 * the length of a turn of the event loop depends on the machine.
 */
const REFUSED_SOONER = 2;
const NORMAL_SECONDS = 5;
const MEGABYTES = 350;
const WINDOW_MS = 500;

export function findingsOf(figures: Figures): Finding[] {
  const { rates, goodputs, reports, health, cached, probeProblems, megabytes } = figures;
  const { peak, overload, after } = reports;
  const group = faultOf(figures);
  const p99 = { peak: latency(peak, 200), overload: latency(overload, 200) };
  const refusalMs = latency(overload, 503);
  const share = goodputs.overload / goodputs.peak;
  const wrong = [...overload.problems, ...peak.problems, ...after.problems];
  const shares = KINDS.map((kind) => refusedShare(overload, kind));
  const [expensive = NaN, read = NaN, ...writesAndSignIns] = shares;
  const p99Of = (report: Answers, kind: Kind) => Math.round(latency(report, 200, kind));
  const byKind = KINDS.map(
    (kind) => `${kind} ${p99Of(overload, kind)} and ${p99Of(peak, kind)} ms`,
  ).join(', ');
  const normalAfter = figures.unseenSeconds + secondsToNormal(after, SLOWDOWN * p99.peak);
  const row = (what: string, threshold: string, measured: string, isMet: boolean): Finding => ({
    group,
    what,
    threshold,
    measured,
    isMet,
    history: [...wrong, ...probeProblems].slice(0, 20),
  });
  return [
    row(
      'goodput under overload',
      `≥ ${100 * KEPT_GOODPUT} % of the peak`,
      `${(100 * share).toFixed(0)} % (${Math.round(rates.overload)} of ${Math.round(rates.peak)} answers/s)`,
      share >= KEPT_GOODPUT,
    ),
    row(
      'p99 of admitted requests',
      `≤ ${SLOWDOWN} x that at the peak`,
      `${Math.round(p99.overload)} ms, ${Math.round(p99.peak)} ms at the peak with ${figures.atATime} at a time; ${byKind}`,
      p99.overload <= SLOWDOWN * p99.peak,
    ),
    row(
      'refusals are quick 503 with Retry-After',
      `no other answer, p99 ≤ 1/${REFUSED_SOONER} of that of admitted requests`,
      `${wrong.length} others, p99 ${Math.round(refusalMs)} and ${Math.round(p99.overload)} ms`,
      wrong.length === 0 && REFUSED_SOONER * refusalMs <= p99.overload,
    ),
    row(
      'expensive reads are refused most, writes and sign-ins least',
      'expensive reads ≥ reads > writes, sign-ins',
      KINDS.map((kind, at) => `${kind} ${(100 * (shares[at] ?? NaN)).toFixed(0)} %`).join(', '),
      expensive >= read && read > Math.max(...writesAndSignIns),
    ),
    row(
      'health and cached reads are never refused',
      'all 200, p99 of health ≤ that of admitted requests',
      `${health.length} and ${cached.length} were 200, ${probeProblems.length} not, p99 ` +
        `${Math.round(quantile(health, 0.99))} and ${Math.round(quantile(cached, 0.99))} ms`,
      probeProblems.length === 0 && quantile(health, 0.99) <= p99.overload,
    ),
    row(
      'time until no request is refused or slow',
      `≤ ${NORMAL_SECONDS} s after the overload`,
      `${normalAfter.toFixed(1)} s at most`,
      normalAfter <= NORMAL_SECONDS,
    ),
    row(
      'server memory',
      `≤ ${MEGABYTES} MB`,
      `${Math.round(megabytes)} MB`,
      megabytes <= MEGABYTES,
    ),
  ];
}

function faultOf({ times, rates, turns, reports: { overload } }: Figures): string {
  const seconds = Math.round(overload.seconds / turns);
  return `${times} x ${Math.round(rates.peak)}/s for ${turns} x ${seconds} s`;
}

function latency({ statuses, latencies, kinds }: Answers, status: number, kind?: Kind): number {
  const isCounted = (at: number) =>
    statuses[at] === status && (kind === undefined || kinds[at] === kind);
  return quantile(
    latencies.filter((_, at) => isCounted(at)),
    0.99,
  );
}

function refusedShare({ kinds, statuses }: Answers, kind: Kind): number {
  const ofKind = statuses.filter((_, at) => kinds[at] === kind);
  return ofKind.filter((status) => status !== 200).length / ofKind.length;
}

/**
 * @param p99 the largest p99 in milliseconds that is normal
 * @returns the end, in seconds, of the last window in which a request was refused or p99 was higher; 0 if there is none
 */
function secondsToNormal({ statuses, latencies, dues }: LoadReport, p99: number): number {
  let normalFrom = 0;
  for (let from = 0; from < Math.max(...dues.slice(-1)); from += WINDOW_MS) {
    const inWindow = dues.flatMap((due, at) => (due >= from && due < from + WINDOW_MS ? [at] : []));
    const times = inWindow.map((at) => latencies[at] ?? NaN);
    const isNormal = inWindow.every((at) => statuses[at] === 200) && quantile(times, 0.99) <= p99;
    if (!isNormal) normalFrom = from + WINDOW_MS;
  }
  return normalFrom / 1_000;
}
