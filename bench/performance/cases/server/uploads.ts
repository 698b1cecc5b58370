/** Measures the upload of a photograph, and a reader and the memory while ten are uploaded at once. */
import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { startClient } from '../../../load/client-process.ts';
import { OPEN_LOOP, type OpenJob, type OpenReport } from '../../../load/open-loop.ts';
import { MEGABYTE } from '../../../support/servers/pressroom.ts';
import type { Headers, Server } from '../../../support/servers/servers.ts';
import { cycled, latenciesOf, median, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { drawPhotograph, upload } from '../../load/photograph.ts';
import { rowOf, type Row } from '../../report.ts';
import { measureRounds, type Program } from '../../rounds.ts';

export const name = 'uploads';
export const needs = { count: 1 };

const ALONE = 5;
const TOGETHER = 10;
const SAMPLE_MS = 100;
const READER = { rate: 500, connections: 64, warmUpSeconds: 2, seconds: Infinity };
const LIMITS = {
  secondsMax: 1.5,
  readerRatioMax: 2,
  megabytesMax: { server: 350, pictures: 300 },
};

export async function run(bench: Bench): Promise<Row[]> {
  const server = await bench.startPressroom({ ACCESS_TOKEN_TTL: '12h' });
  const photograph = await drawPhotograph();
  // An account may send eight pictures at once.
  const senders = await Promise.all(
    bench.data.authors.slice(0, TOGETHER).map((author) => server.signIn(author)),
  );
  const send = (headers: Headers) => upload(server, headers, photograph);
  const seconds = await secondsOf(() => send(cycled(senders, 0)));
  const sizes = { server: [0], pictures: [0] };
  const { ours, baseline, ratio, spread } = await measureRounds(
    {
      ours: readerBeside(bench, server, () =>
        sampling(server, sizes, Promise.all(senders.map(send))),
      ),
      baseline: readerBeside(bench, server, (order) => wait(order.seconds * 1_000)),
      of: 'p99',
    },
    { count: bench.options.rounds, seconds: bench.options.seconds },
  );
  const what = `${TOGETHER} uploads of ${(photograph.size / 1e6).toFixed(1)} MB, 12 megapixels`;
  return [
    rowOf({
      case: 'one upload',
      value: median(seconds),
      spread: range(seconds),
      limit: { kind: 'max', value: LIMITS.secondsMax, unit: 's' },
      note: `median of ${ALONE}; the server and its picture process on one core`,
    }),
    rowOf({
      case: 'reader beside uploads, p99',
      ours,
      baseline,
      ratio,
      spread,
      limit: { kind: 'ratio-max', value: LIMITS.readerRatioMax },
      note: `a cached article, ${READER.rate}/s, beside ${what}; the baseline is the same without uploads`,
    }),
    ...(['server', 'pictures'] as const).map((process) =>
      rowOf({
        case: `memory beside uploads, ${process}`,
        value: Math.max(...sizes[process]),
        limit: { kind: 'max', value: LIMITS.megabytesMax[process], unit: 'MB' },
        note: `resident, the most of samples every ${SAMPLE_MS} ms`,
      }),
    ),
  ];
}

/** The seconds of uploads, one after the other. The first one starts the picture process and does not count. */
async function secondsOf(send: () => Promise<unknown>): Promise<number[]> {
  const seconds: number[] = [];
  for (let number = 0; number <= ALONE; number += 1) {
    const startedAt = performance.now();
    await send();
    seconds.push((performance.now() - startedAt) / 1_000);
  }
  return seconds.slice(1);
}

/** Reads a cached article at a fixed rate while the work is done. */
function readerBeside(
  { data, cpus }: Bench,
  { url }: Server,
  work: (order: { seconds: number }) => Promise<unknown>,
): Program<ReturnType<typeof latenciesOf>> {
  const headers = { 'x-api-key': data.apiKey };
  const requests = [{ path: `/blog/id/${data.ids[0]}`, headers }];
  const job: OpenJob = { url, requests, statuses: [200], ...READER };
  return async (order) => {
    const reader = await startClient<OpenJob, OpenReport>(OPEN_LOOP, job, cpus);
    try {
      const [{ latencies, problems }] = await Promise.all([
        reader.begin(),
        work(order).finally(() => reader.endRun()),
      ]);
      if (problems.count > 0) throw new Error(`${problems.count} reads: ${problems.sample}`);
      return latenciesOf(latencies);
    } finally {
      reader.stop();
    }
  };
}

/** Samples the resident memory of the server and of its picture process, in MB, until the work is done. */
async function sampling(
  server: Server,
  sizes: { readonly server: number[]; readonly pictures: number[] },
  work: Promise<unknown>,
): Promise<void> {
  const timer = setInterval(() => {
    sizes.server.push(server.residentBytes() / MEGABYTE);
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '--ppid', String(server.pid)], {
      encoding: 'utf8',
    });
    sizes.pictures.push(...stdout.split('\n').map((kilobytes) => Number(kilobytes) / 1_024));
  }, SAMPLE_MS);
  await work.finally(() => clearInterval(timer));
}
