/**
 * What the check of a token, its session and its roles costs: processor time per request of
 * a signed-in read, less that of the same Pressroom that takes everybody for one fixed caller.
 */
import { fileURLToPath } from 'node:url';
import { rawAnswer } from '../../../load/raw-answer.ts';
import { cycled, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { checkSame } from '../../inspect/answers.ts';
import { rowOf, type Limit, type Row } from '../../report.ts';
import type { Headers, Server } from '../../servers.ts';

export const name = 'signed-in';
export const needs = { count: 1_000 };

const PATHS = ['/profile/mine', '/blog/author/published?page=1&limit=10'];
const LIMIT: Limit = { kind: 'max', value: 30, unit: 'us' };
const ENTRY = fileURLToPath(new URL('../../baselines/without-token.ts', import.meta.url));

/** A server, and the headers with which it grants the read. */
interface Asked {
  readonly server: Server;
  readonly headers: Headers;
}

export async function run(bench: Bench): Promise<Row[]> {
  const { authors, apiKey } = bench.data;
  const caller = cycled(authors, 0);
  const env = { ACCESS_TOKEN_TTL: '12h' };
  const guarded = await bench.startPressroom(env);
  const open = await bench.startPressroom({ ...env, CALLER_ID: caller.id }, { entry: ENTRY });
  const keyOnly = { 'x-api-key': apiKey };
  const signedIn = await guarded.signIn(caller);
  const rows: Row[] = [];
  for (const path of PATHS) {
    const row = `signed-in ${path.split('?')[0]}`;
    const ours = { server: guarded, headers: signedIn };
    const baseline = { server: open, headers: keyOnly };
    rows.push(await bench.attempt(row, () => measure(bench, row, path, { ours, baseline })));
  }
  return rows;
}

async function measure(
  bench: Bench,
  row: string,
  path: string,
  asked: { ours: Asked; baseline: Asked },
): Promise<Row> {
  await checkGuards(path, asked);
  const load = (one: Asked) => (order: { seconds: number }) =>
    bench.closedLoop({ path, ...one, ...order });
  const programs = { ours: load(asked.ours), baseline: load(asked.baseline) };
  const { ours, baseline, ratio, measures } = await bench.rounds(programs);
  await checkGuards(path, asked);
  const costs = measures.ours.map(
    ({ cpuMicros }, round) => cpuMicros - cycled(measures.baseline, round).cpuMicros,
  );
  return rowOf({
    ...{ case: row, ours, baseline, ratio, limit: LIMIT },
    value: ours.cpuMicros - baseline.cpuMicros,
    spread: range(costs),
    note: 'baseline is Pressroom that identifies nobody; latencies of the closed loop',
  });
}

/** The one must refuse without a token what the other grants, and both grant the same. */
async function checkGuards(
  path: string,
  { ours, baseline }: { ours: Asked; baseline: Asked },
): Promise<void> {
  const refused = await rawAnswer(ours.server.url, path, baseline.headers);
  if (refused.status !== 401) throw new Error(`${path} without a token: ${refused.status}`);
  const mine = await rawAnswer(ours.server.url, path, ours.headers);
  const theirs = await rawAnswer(baseline.server.url, path, baseline.headers);
  if (mine.status !== 200) throw new Error(`${path}: ${mine.status} ${mine.body.toString()}`);
  checkSame(path, theirs, mine);
}
