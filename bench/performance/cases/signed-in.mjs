/**
 * Bar 7: what the check of a token, its session and its roles costs: processor time per request of
 * a signed-in read, less that of the same Pressroom whose guards let everybody pass.
 */
import { fileURLToPath } from 'node:url';
import { rawAnswer } from '../load/raw-answer.mjs';
import { checkSame } from '../answers.mjs';
import { rowOf } from '../report.mjs';

export const name = 'signed-in';
export const bars = [7];
export const needs = { count: 1_000 };

const PATHS = ['/profile/mine', '/blog/author/published?page=1&limit=10'];
const LIMIT = { kind: 'max', value: 30, unit: 'us' };
const ENTRY = fileURLToPath(new URL('../baselines/without-token.mjs', import.meta.url));

export async function run(bench) {
  const paths = PATHS.filter((path) => bench.wants(rowNameOf(path)));
  if (paths.length === 0) return [];
  const [caller] = bench.world.authors;
  const env = { ACCESS_TOKEN_TTL: '12h' };
  const guarded = await bench.startPressroom(env);
  const open = await bench.startPressroom({ ...env, CALLER_ID: caller._id }, { entry: ENTRY });
  const token = await guarded.signIn(caller);
  const rows = [];
  for (const path of paths) {
    const row = rowNameOf(path);
    rows.push(await bench.attempt(7, row, () => measure(bench, { guarded, open, token, path })));
  }
  return rows;
}

function rowNameOf(path) {
  return `signed-in ${path.split('?')[0]}`;
}

async function measure(bench, { guarded, open, token, path }) {
  const keyOnly = { 'x-api-key': bench.world.apiKey };
  const signedIn = { ...keyOnly, authorization: `Bearer ${token}` };
  await checkGuards(guarded, open, path, { signedIn, keyOnly });
  const load = (server, headers) => (options) =>
    bench.closedLoop({ server, path, headers, ...options });
  const { ours, baseline, ratio, measures } = await bench.rounds({
    ours: load(guarded, signedIn),
    baseline: load(open, keyOnly),
  });
  await checkGuards(guarded, open, path, { signedIn, keyOnly });
  const costs = measures.ours.map(
    ({ cpuMicros }, round) => cpuMicros - measures.baseline[round].cpuMicros,
  );
  return rowOf({
    bar: 7,
    case: rowNameOf(path),
    ours,
    baseline,
    ratio,
    value: ours.cpuMicros - baseline.cpuMicros,
    spread: [Math.min(...costs), Math.max(...costs)],
    limit: LIMIT,
    note: 'baseline is Pressroom with guards that let everybody pass; latencies of the closed loop',
  });
}

/** The one must refuse without a token what the other grants, and both grant the same. */
async function checkGuards(guarded, open, path, { signedIn, keyOnly }) {
  const refused = await rawAnswer(guarded.url, path, keyOnly);
  if (refused.status !== 401) throw new Error(`${path} without a token: ${refused.status}`);
  const [mine, theirs] = [
    await rawAnswer(guarded.url, path, signedIn),
    await rawAnswer(open.url, path, keyOnly),
  ];
  if (mine.status !== 200) throw new Error(`${path}: ${mine.status} ${mine.body}`);
  checkSame(path, theirs, mine);
}
