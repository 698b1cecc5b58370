/**
 * Measures 16 connections that create, edit, submit and publish articles of 5 KB. The time depends on the machine,
 * so it is only compared with that of another build.
 */
import { cycled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { writeRepeatedly } from '../../load/writes.ts';
import { textsOf } from '../../load/texts.ts';
import { NO_LIMIT, notRun, rowOf, type Row } from '../../report.ts';
import type { Headers, Server } from '../../../support/servers/servers.ts';

export const name = 'writes';
export const needs = { count: 1_000 };

const ROW = 'create, edit, submit, publish';
const CONNECTIONS = 16;
/** Number and maximum size of the texts. The average size is between 5 and 6 KB. */
const TEXTS = { count: 20, bytes: 7_000 };

export async function run(bench: Bench): Promise<Row[]> {
  const { data, cpus } = bench;
  const author = cycled(data.authors, 0);
  const env = { ACCESS_TOKEN_TTL: '12h' };
  const otherBuild = await bench.startOtherBuild(env);
  if (otherBuild === null) return [notRun(ROW, 'needs --baseline')];
  const pressroom = await bench.startPressroom(env);
  const texts = textsOf(bench.options, TEXTS);
  let runCount = 0;
  const load =
    (server: Server, headers: Headers) =>
    ({ seconds }: { seconds: number }) => {
      runCount += 1;
      // Each run has a prefix of its own, because the slugs of an earlier run on the same data are taken.
      const prefix = `written-${Date.now().toString(36)}-${runCount}`;
      const job = { headers, texts, prefix, seconds, connections: CONNECTIONS };
      return writeRepeatedly({ server, job }, cpus);
    };
  const { ours, baseline, ratio, spread } = await bench.rounds({
    ours: load(pressroom, await pressroom.signIn(author)),
    baseline: load(otherBuild, await otherBuild.signIn(author)),
  });
  const perCpu = ours.perCpuSecond / baseline.perCpuSecond;
  return [
    rowOf({
      case: ROW,
      ours,
      baseline,
      ratio,
      spread,
      limit: bench.limitOf(NO_LIMIT),
      note:
        `requests of all four kinds; latencies of the closed loop of ${CONNECTIONS} connections; ` +
        `per CPU-second ${perCpu.toFixed(2)} x`,
    }),
  ];
}
