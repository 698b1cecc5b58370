import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../scripts/support/user-error.ts';
import { table } from '../../scripts/support/table.ts';
import { shuffled } from './load/shuffle.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLE_MICROS = 200;
const WARM_UP_SECONDS = 3;
const TOP = 25;
/** Nobody's work: the main thread waits for requests. */
const WAITING = '(idle)';

const PAGES = Array.from({ length: 100 }, (_, index) => `/blogs/latest?page=${index + 1}&limit=10`);

/** What is read as fast as it can be, by the name of the case that measures the same. */
const READS = {
  warm: { env: {}, pathsOf: ({ slugs }) => [slugs[0]].map(articlePath) },
  uncached: { env: { CACHE_MB: '0' }, pathsOf: ({ slugs }) => shuffled(slugs).map(articlePath) },
  lists: { env: { CACHE_MB: '0' }, pathsOf: () => shuffled(PAGES) },
  'signed-in': {
    env: {},
    pathsOf: () => ['/blog/author/published?page=1&limit=10'],
    isSignedIn: true,
  },
};

/**
 * Where the processor time goes: Pressroom under `--cpu-prof` while it is read as fast as it can be.
 * Prints the self time by package and by function.
 *
 * @param names of `READS`; `warm` when there are none
 * @throws UserError for a name that is not among them
 */
export async function profileReads(bench, names) {
  const unknown = names.find((name) => !Object.hasOwn(READS, name));
  if (unknown !== undefined) {
    throw new UserError(`--profile knows ${Object.keys(READS).join(', ')}, not ${unknown}`);
  }
  for (const name of names.length > 0 ? names : ['warm']) await profileRead(bench, name);
}

async function profileRead(bench, name) {
  const { env, pathsOf, isSignedIn = false } = READS[name];
  const { world } = bench;
  const folder = join(bench.folder, `profile-${name}`);
  mkdirSync(folder);
  const server = await bench.startPressroom(env, {
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLE_MICROS}`],
  });
  const paths = pathsOf(world);
  const headers = { 'x-api-key': world.apiKey };
  if (isSignedIn) headers.authorization = `Bearer ${await server.signIn(world.authors[0])}`;
  const load = (seconds) =>
    bench.closedLoop({
      server,
      ...(paths.length > 1 ? { paths } : { path: paths[0] }),
      headers,
      seconds,
    });
  await load(WARM_UP_SECONDS);
  const from = monotonicMicros();
  const { rate, cpuMicros } = await load(bench.options.seconds);
  const until = monotonicMicros();
  await server.stop();
  const profile = readProfile(folder);
  const times = selfTimes(profile, { from, until });
  const total = times.reduce((sum, { micros }) => sum + micros, 0);
  const share = (micros) => `${((micros / total) * 100).toFixed(1)} %`;
  const rows = (groups) => groups.slice(0, TOP).map(([key, micros]) => [key, share(micros)]);
  const cost = `${cpuMicros.toFixed(0)} us of processor time each`;
  console.log(
    [
      `${name}: ${rate.toFixed(0)}/s, ${cost}, sampled every ${SAMPLE_MICROS} us (which slows it)`,
      table([['package', 'self time'], ...rows(sumBy(times, ({ owner }) => owner))]),
      table([
        ['function', 'self time'],
        ...rows(sumBy(times, ({ name: what, place }) => `${what}  ${place}`)),
      ]),
    ].join('\n\n'),
  );
}

function articlePath(slug) {
  return `/blog/slug/${encodeURIComponent(slug)}`;
}

/** The clock of V8's profiles, which is that of the machine. */
function monotonicMicros() {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** @returns the profile of the main thread: the name ends with process, thread and number */
function readProfile(folder) {
  const [file] = readdirSync(folder).filter((name) => /\.0\.\d+\.cpuprofile$/.test(name));
  if (file === undefined) throw new Error('the server has left no profile');
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

/** @returns the time on the processor by function, without what was before and after the load */
function selfTimes({ nodes, samples, timeDeltas, startTime }, { from, until }) {
  const micros = new Map();
  let now = startTime;
  samples.forEach((id, index) => {
    now += timeDeltas[index];
    if (now < from || now > until) return;
    micros.set(id, (micros.get(id) ?? 0) + timeDeltas[index]);
  });
  return nodes
    .filter(({ id, callFrame }) => micros.has(id) && callFrame.functionName !== WAITING)
    .map(({ id, callFrame }) => ({
      micros: micros.get(id),
      name: callFrame.functionName || '(anonymous)',
      ...originOf(callFrame),
    }));
}

function originOf({ url, lineNumber, functionName }) {
  const file = url.replace(/^file:\/\//, '').replace(ROOT, '');
  const place = file === '' ? '' : `${file.replace(/^.*node_modules\//, '')}:${lineNumber + 1}`;
  if (file === '')
    return { owner: `V8 ${functionName.startsWith('(') ? functionName : ''}`, place };
  if (file.startsWith('node:')) return { owner: 'Node', place };
  const [, dependency] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return { owner: dependency ?? 'Pressroom', place };
}

/** @returns pairs of key and sum, the greatest first */
function sumBy(times, keyOf) {
  const sums = new Map();
  for (const time of times) sums.set(keyOf(time), (sums.get(keyOf(time)) ?? 0) + time.micros);
  return [...sums].toSorted(([, a], [, b]) => b - a);
}
