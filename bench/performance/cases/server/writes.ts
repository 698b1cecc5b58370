/**
 * Measures eight connections that create, edit, submit and publish articles of 5 KB. The time depends on the machine,
 * so it is only compared with that of another build.
 */
import { cycled, median, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { KINDS, writeRepeatedly } from '../../load/writes.ts';
import { textsOf } from '../../load/texts.ts';
import { NO_LIMIT, notRun, rowOf, type Row } from '../../report.ts';
import type { Headers, Server } from '../../../support/servers/servers.ts';

export const name = 'writes';
export const needs = { count: 1_000 };

const CONNECTIONS = 8;
/** Number and maximum size of the texts. The average size is between 5 and 6 KB. */
const TEXTS = { count: 20, bytes: 7_000 };

export async function run(bench: Bench): Promise<Row[]> {
  const { data, cpus } = bench;
  const author = cycled(data.authors, 0);
  // Three articles in ten have the most frequent tag.
  const { tag } = cycled(data.tags, 0);
  const env = { ACCESS_TOKEN_TTL: '12h' };
  const otherBuild = await bench.startOtherBuild(env);
  if (otherBuild === null) return [notRun(name, 'needs --baseline')];
  const pressroom = await bench.startPressroom(env);
  const texts = textsOf(bench.options, TEXTS);
  let runCount = 0;
  const load =
    (server: Server, headers: Headers) =>
    ({ seconds }: { seconds: number }) => {
      runCount += 1;
      // Each run has a prefix of its own, because the slugs of an earlier run on the same data are taken.
      const prefix = `written-${Date.now().toString(36)}-${runCount}`;
      const job = { headers, texts, prefix, tag, seconds, connections: CONNECTIONS };
      return writeRepeatedly({ server, job }, cpus);
    };
  const { measures } = await bench.rounds({
    ours: load(pressroom, await pressroom.signIn(author)),
    baseline: load(otherBuild, await otherBuild.signIn(author)),
  });
  return KINDS.map((kind) => {
    const ours = measures.ours.map((measure) => measure[kind]);
    const baseline = measures.baseline.map((measure) => measure[kind]);
    const rates = { ours: median(ours), baseline: median(baseline) };
    return rowOf({
      case: kind,
      ours: { rate: rates.ours },
      baseline: { rate: rates.baseline },
      ratio: rates.ours / rates.baseline,
      spread: range(ours.map((rate, round) => rate / (baseline[round] ?? NaN))),
      limit: bench.limitOf(NO_LIMIT),
      note: `by ${CONNECTIONS} connections, each with one request at a time`,
    });
  });
}
