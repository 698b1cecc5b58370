import type { Profiler, Runtime } from 'node:inspector';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../../scripts/support/user-error.ts';
import { table } from '../../../scripts/support/table.ts';
import { cycled, shuffled } from '../../support/statistics.ts';
import type { Bench } from '../bench.ts';
import type { DataSet } from '../data/seed.ts';
import { articlePath } from '../load/mixed-requests.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SAMPLE_MICROS = 200;
const WARM_UP_SECONDS = 3;
const TOP = 25;
/** Nobody's work: the main thread waits for requests. */
const WAITING = '(idle)';

const PAGES = Array.from({ length: 100 }, (_, index) => `/blogs/latest?page=${index + 1}&limit=10`);

interface Read {
  readonly env: Readonly<Record<string, string>>;
  readonly pathsOf: (data: DataSet) => string[];
  readonly isSignedIn?: boolean;
}

/** What is read as fast as it can be, by the name of the case that measures the same. */
const READS: Record<string, Read> = {
  cached: { env: {}, pathsOf: ({ slugs }) => slugs.slice(0, 1).map(articlePath) },
  uncached: { env: { CACHE_MB: '0' }, pathsOf: ({ slugs }) => shuffled(slugs).map(articlePath) },
  lists: { env: { CACHE_MB: '0' }, pathsOf: () => shuffled(PAGES) },
  'signed-in': {
    env: {},
    pathsOf: () => ['/blog/author/published?page=1&limit=10'],
    isSignedIn: true,
  },
};

/** The time on the processor of a function itself. */
interface SelfTime {
  readonly micros: number;
  readonly name: string;
  /** A package, Node, V8 or Pressroom. */
  readonly owner: string;
  readonly place: string;
}

/**
 * Where the processor time goes: Pressroom under `--cpu-prof` while it is read as fast as it can be.
 * Prints the self time by package and by function.
 *
 * @param names of `READS`; `cached` when there are none
 * @throws UserError for a name that is not among them
 */
export async function profileReads(bench: Bench, names: readonly string[]): Promise<void> {
  for (const name of names.length > 0 ? names : ['cached']) {
    const read = READS[name];
    if (read === undefined) {
      throw new UserError(`--profile knows ${Object.keys(READS).join(', ')}, not ${name}`);
    }
    console.log(await profileRead(bench, name, read));
  }
}

async function profileRead(bench: Bench, name: string, read: Read): Promise<string> {
  const { data } = bench;
  const folder = join(bench.folder, `profile-${name}`);
  mkdirSync(folder);
  const server = await bench.startPressroom(read.env, {
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLE_MICROS}`],
  });
  const paths = read.pathsOf(data);
  const [path = '/', ...others] = paths;
  const headers = read.isSignedIn
    ? await server.signIn(cycled(data.authors, 0))
    : { 'x-api-key': data.apiKey };
  const load = (seconds: number) =>
    bench.closedLoop({
      ...{ server, headers, seconds },
      ...(others.length > 0 ? { paths } : { path }),
    });
  await load(WARM_UP_SECONDS);
  const from = monotonicMicros();
  const { rate, cpuMicros } = await load(bench.options.seconds);
  const until = monotonicMicros();
  await server.stop();
  const times = selfTimes(readProfile(folder), { from, until });
  const cost = `${cpuMicros.toFixed(0)} us of processor time each`;
  return [
    `${name}: ${rate.toFixed(0)}/s, ${cost}, sampled every ${SAMPLE_MICROS} us (which slows it)`,
    table(sharesOf('package', times, ({ owner }) => owner)),
    table(sharesOf('function', times, (time) => `${time.name}  ${time.place}`)),
  ].join('\n\n');
}

/** The clock of V8's profiles, which is that of the machine. */
function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** @returns the profile of the main thread: the name ends with process, thread and number */
function readProfile(folder: string): Profiler.Profile {
  const [file] = readdirSync(folder).filter((name) => /\.0\.\d+\.cpuprofile$/.test(name));
  if (file === undefined) throw new Error('the server has left no profile');
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profiler.Profile;
}

/** @returns the time on the processor by function, without what was before and after the load */
function selfTimes(
  profile: Profiler.Profile,
  { from, until }: { from: number; until: number },
): SelfTime[] {
  const { nodes, samples = [], timeDeltas = [], startTime } = profile;
  const micros = new Map<number, number>();
  let now = startTime;
  samples.forEach((id, index) => {
    const delta = timeDeltas[index] ?? 0;
    now += delta;
    if (now >= from && now <= until) micros.set(id, (micros.get(id) ?? 0) + delta);
  });
  return nodes
    .filter(({ id, callFrame }) => micros.has(id) && callFrame.functionName !== WAITING)
    .map(({ id, callFrame }) => ({
      micros: micros.get(id) ?? 0,
      name: callFrame.functionName || '(anonymous)',
      ...originOf(callFrame),
    }));
}

function originOf({ url, lineNumber, functionName }: Runtime.CallFrame): {
  owner: string;
  place: string;
} {
  const file = url.replace(/^file:\/\//, '').replace(ROOT, '');
  if (file === '') {
    return { owner: `V8 ${functionName.startsWith('(') ? functionName : ''}`, place: '' };
  }
  const place = `${file.replace(/^.*node_modules\//, '')}:${lineNumber + 1}`;
  if (file.startsWith('node:')) return { owner: 'Node', place };
  const [, dependency] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return { owner: dependency ?? 'Pressroom', place };
}

/** Shares of the time by key, the greatest first. */
function sharesOf(
  head: string,
  times: readonly SelfTime[],
  keyOf: (time: SelfTime) => string,
): string[][] {
  const sums = new Map<string, number>();
  for (const time of times) sums.set(keyOf(time), (sums.get(keyOf(time)) ?? 0) + time.micros);
  const total = times.reduce((sum, { micros }) => sum + micros, 0);
  const rows = [...sums]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(([key, micros]) => [key, `${((micros / total) * 100).toFixed(1)} %`]);
  return [[head, 'self time'], ...rows];
}
