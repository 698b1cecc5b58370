import { table } from '../../scripts/support/table.ts';
import type { Latencies } from '../support/statistics.ts';
import type { Measured } from './measure.ts';
import { AS_YOU_TYPE } from './queries.ts';

export interface Bar {
  readonly what: string;
  /** In milliseconds, but for a count. */
  readonly value: number;
  readonly limit: number;
}

/** From this length on, articles are long. */
const LONG_TEXT_BYTES = 20_000;
const BARS = { aloneP50: 15, togetherP99: 100, longP99: 50 };

/** The bars for articles of that length. */
export function barsOf(alone: Measured, together: Measured, textBytes: number): Bar[] {
  const typed = (measured: Measured) => measured.kinds.get(AS_YOU_TYPE) ?? measured.all;
  const at = `${together.connections} connections`;
  const refused = { what: 'refused searches', value: alone.refused + together.refused, limit: 0 };
  if (textBytes >= LONG_TEXT_BYTES) {
    return [
      { what: 'one connection, p99', value: alone.all.p99, limit: BARS.longP99 },
      { what: `${at}, p99`, value: together.all.p99, limit: BARS.longP99 },
      refused,
    ];
  }
  return [
    { what: 'one connection, p50', value: alone.all.p50, limit: BARS.aloneP50 },
    { what: `${at}, p99`, value: together.all.p99, limit: BARS.togetherP99 },
    { what: 'as you type, one connection, p50', value: typed(alone).p50, limit: BARS.aloneP50 },
    { what: `as you type, ${at}, p99`, value: typed(together).p99, limit: BARS.togetherP99 },
    refused,
  ];
}

/** Tables of the times, the processor time and the bars. */
export function reportOf(measured: readonly Measured[], bars: readonly Bar[]): string {
  const times = ({ p50, p99 }: Latencies) => [p50.toFixed(1), p99.toFixed(1)];
  const heads = measured.flatMap(({ connections }) => [`p50 ms at ${connections}`, 'p99 ms']);
  const kinds = [...new Set(measured.flatMap((each) => [...each.kinds.keys()]))].toSorted();
  const rows = kinds.map((kind) => {
    const ofKind = measured.map((each) => each.kinds.get(kind));
    return [
      kind,
      ...ofKind.flatMap((each) => (each ? times(each) : ['', ''])),
      String(ofKind.reduce((sum, each) => sum + (each?.searches ?? 0), 0)),
      (ofKind.at(-1)?.found ?? NaN).toFixed(1),
    ];
  });
  const ratio = measured.map(({ all, latest }) => [
    ...[(all.p50 / latest.p50).toFixed(1), (all.p99 / latest.p99).toFixed(1)],
  ]);
  const cpu = measured.map(({ connections, serverCpu, mongoCpu }) => [
    ...[`${connections}`, serverCpu.toFixed(2), mongoCpu.toFixed(2)],
  ]);
  return [
    table([
      ['search', ...heads, 'searches', 'found'],
      ...rows,
      ['all searches', ...measured.flatMap(({ all }) => times(all))],
      ['latest, uncached (baseline)', ...measured.flatMap(({ latest }) => times(latest))],
      ['all searches / latest', ...ratio.flat()],
    ]),
    table([['processor time of a search, connections', 'server ms', 'MongoDB ms'], ...cpu]),
    table([['bar', 'ms or count', 'at most', 'reached'], ...bars.map(cellsOf)]),
  ].join('\n\n');
}

export function isReached({ value, limit }: Bar): boolean {
  return value <= limit;
}

function cellsOf(bar: Bar): string[] {
  return [bar.what, bar.value.toFixed(1), String(bar.limit), isReached(bar) ? 'yes' : 'NO'];
}
