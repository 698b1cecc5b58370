import { closedLoop } from '../../load/closed-loop.ts';
import type { Measure } from '../../load/measure.ts';
import { median, range } from '../../support/statistics.ts';
import { drawReads } from '../content.ts';
import { atLeast, type Figure } from '../report.ts';
import type { Setup } from '../setup.ts';

const DRAWN = 2_000;
/** Varnish looks up the verdict on the key, and then the answer. */
const RATIO = 0.5;

/**
 * The same reads, as fast as they are answered, of Pressroom and of Varnish, each on the same core. Pressroom
 * answers them from its memory, so the ratio says what the way through Varnish costs.
 */
export async function measureSpeed({
  origin,
  edge,
  content,
  plan,
  cpus,
}: Setup): Promise<Figure[]> {
  const paths = drawReads(content, DRAWN);
  const headers = { 'x-api-key': content.keys[0] ?? '' };
  const rounds: { origin: Measure; edge: Measure }[] = [];
  while (rounds.length < plan.speedRounds) {
    const load = { paths, headers, seconds: plan.speedSeconds };
    rounds.push({
      origin: await closedLoop({ server: origin, ...load }, cpus),
      edge: await closedLoop({ server: edge, ...load }, cpus),
    });
  }
  const perSecond = (side: 'origin' | 'edge') => {
    const rate = median(rounds.map((round) => round[side].rate));
    const perCpu = median(rounds.map((round) => round[side].perCpuSecond));
    return `${shortly(rate)}/s, ${shortly(perCpu)} per CPU-second`;
  };
  // Where others keep the cores busy, the rates are theirs.
  const ratios = rounds.map((round) => round.edge.perCpuSecond / round.origin.perCpuSecond);
  const spread = range(ratios).map((ratio) => ratio.toFixed(2));
  return [
    { what: 'reads through Varnish', value: perSecond('edge') },
    { what: 'the same reads of Pressroom', value: perSecond('origin') },
    atLeast(`ratio per CPU-second (${spread.join('-')})`, median(ratios), RATIO),
  ];
}

function shortly(count: number): string {
  return Math.round(count).toLocaleString('en');
}
