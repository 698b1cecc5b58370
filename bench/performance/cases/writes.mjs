/**
 * Bar 8: articles of 5 KB written, edited, submitted and published by 16 connections, against bare
 * Fastify on the bare driver doing the same.
 */
import { writeLoop } from '../load/write-loop.mjs';
import { rowOf } from '../report.mjs';
import { textsOf } from '../texts.mjs';

export const name = 'writes';
export const bars = [8];
export const needs = { count: 1_000 };

const ROW = 'create, edit, submit, publish';
const CONNECTIONS = 16;
/** At most; what comes out is between 5 and 6 KB. */
const TEXTS = { count: 20, bytes: 7_000 };

export async function run(bench) {
  if (!bench.wants(ROW)) return [];
  const { authors, apiKey } = bench.world;
  const [author] = authors;
  const pressroom = await bench.startPressroom({ ACCESS_TOKEN_TTL: '12h' });
  const baseline = await bench.startBaseline('driver-writes', { AUTHOR_ID: author._id });
  const token = await pressroom.signIn(author);
  const texts = textsOf(bench.options, TEXTS);
  let run = 0;
  const load =
    (server, headers) =>
    async ({ seconds }) => {
      run += 1;
      // A slug of an earlier run on the same data would be taken.
      const prefix = `written-${Date.now().toString(36)}-${run}`;
      const job = { headers, texts, prefix, seconds, connections: CONNECTIONS };
      return writeLoop({ server, ...job }, bench.cpus);
    };
  const {
    ours,
    baseline: theirs,
    ratio,
    spread,
  } = await bench.rounds({
    ours: load(pressroom, { 'x-api-key': apiKey, authorization: `Bearer ${token}` }),
    baseline: load(baseline, {}),
  });
  const perCpu = ours.perCpuSecond / theirs.perCpuSecond;
  const limit = { kind: 'ratio-min', value: 0.7 };
  const note =
    `requests of all four kinds; latencies of the closed loop of ${CONNECTIONS} connections; ` +
    `per CPU-second ${perCpu.toFixed(2)} x`;
  return [rowOf({ bar: 8, case: ROW, ours, baseline: theirs, ratio, spread, limit, note })];
}
