/** Measures reads of a public picture from the folder of the machine, compared with @fastify/static on the same file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callServer, type Call } from '../../../../scripts/support/own-server.ts';
import { rawAnswer } from '../../../load/raw-answer.ts';
import { publishArticle } from '../../../support/newsroom.ts';
import type { Server } from '../../../support/servers/servers.ts';
import { cycled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { drawPhotograph, upload } from '../../load/photograph.ts';
import { NO_LIMIT, rowOf, type Limit, type Row } from '../../report.ts';

export const name = 'pictures';
export const needs = { count: 1 };

const RATE = 200;

/** The measured sizes. A small picture stays in memory, a large one is read from its file. */
const SIZES: readonly { row: string; width: number; limit: Limit }[] = [
  { row: 'cached picture', width: 1_280, limit: { kind: 'ratio-min', value: 0.6 } },
  { row: 'cached picture, large', width: 1_920, limit: NO_LIMIT },
];

export async function run(bench: Bench): Promise<Row[]> {
  const ours = await bench.startPressroom();
  const folder = `/media/${await publishPicture(bench, ours)}`;
  mkdirSync(join(bench.folder, folder), { recursive: true });
  const baseline = await bench.startBaseline('files', { FOLDER: bench.folder });
  const rows: Row[] = [];
  for (const size of SIZES.filter(({ row }) => bench.wants(row))) {
    const path = `${folder}/${size.width}.jpg`;
    rows.push(
      await bench.attempt(size.row, () => measure(bench, { ours, baseline }, { ...size, path })),
    );
  }
  return rows;
}

async function measure(
  bench: Bench,
  servers: { readonly ours: Server; readonly baseline: Server },
  { row, path, limit }: { row: string; path: string; limit: Limit },
): Promise<Row> {
  const { status, body } = await rawAnswer(servers.ours.url, path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  writeFileSync(join(bench.folder, path), body);
  const load = (server: Server) => (order: { seconds: number }) =>
    bench.closedLoop({ server, path, ...order });
  const atFixedRate = () => ({ rate: RATE, requests: [{ path, answer: body.toString() }] });
  return rowOf({
    case: row,
    limit,
    ...(await bench.compare(servers, load, atFixedRate)),
    note: `${Math.round(body.length / 1_000)} kB; latencies at ${RATE}/s`,
  });
}

/** Publishes an article with a photograph. @returns the id of the picture */
async function publishPicture({ data }: Bench, server: Server): Promise<string> {
  const headers = await server.signIn(cycled(data.authors, 0));
  const { _id, url } = await upload(server, headers, await drawPhotograph());
  const call: Call = (...args) => callServer(server.url, data.apiKey, ...args);
  const token = headers['authorization']?.replace('Bearer ', '') ?? '';
  await publishArticle(
    call,
    { author: token, admin: token },
    {
      title: 'With a photograph',
      description: 'For readers.',
      draftText: `<img src="${url}" alt="Noise" />`,
      tags: ['pictures'],
    },
  );
  return _id;
}
