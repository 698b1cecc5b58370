/**
 * Measures reads from the response cache, compared with a Fastify server that sends the same bytes with the same
 * headers. wrk measures rates in a closed loop; latencies are measured at a fixed rate.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { rawAnswer, type RawAnswer } from '../../../load/raw-answer.ts';
import type { Bench } from '../../bench.ts';
import type { DataSet } from '../../../data/seed.ts';
import { articlePath, checkSame, headersOf } from '../../load/answers.ts';
import { notRun, rowOf, type Limit, type Row } from '../../report.ts';
import type { Server } from '../../../support/servers/servers.ts';

export const name = 'cached';
export const needs = { count: 1_000 };

const LIMIT: Limit = { kind: 'ratio-min', value: 0.85 };
const RATE = 2_000;
/** Milliseconds to wait for a compressed variant, which is made in the background; it takes much less. */
const VARIANT_MS = 3_000;
const HITS = 5;

interface Target {
  readonly row: string;
  /** Pattern of the route. */
  readonly pattern: string;
  readonly path: string;
  readonly coding?: string;
  readonly isNotModified?: boolean;
}

/** A server, the headers of the requests to it, and the expected answer. */
interface Exchange {
  readonly server: Server;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: RawAnswer;
}

export async function run(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const targets = targetsOf(bench.data).filter(({ row }) => bench.wants(row));
  if (targets.length === 0) return rows;
  const pressroom = await bench.startPressroom();
  const otherBuild = await bench.startOtherBuild();
  for (const target of targets) {
    rows.push(await bench.attempt(target.row, () => measure(bench, pressroom, otherBuild, target)));
  }
  return rows;
}

function targetsOf({ slugs, ids, tags }: DataSet): Target[] {
  const at = Math.floor(slugs.length / 2);
  const bySlug = { pattern: '/blog/slug/:slug', path: articlePath(slugs[at] ?? '') };
  const tag = encodeURIComponent(tags[0]?.tag ?? '');
  return [
    { row: 'article by slug', ...bySlug },
    { row: 'article by slug, 304', ...bySlug, isNotModified: true },
    { row: 'article by id', pattern: '/blog/id/:id', path: `/blog/id/${ids[at]}` },
    { row: 'latest, page 1', pattern: '/blogs/latest', path: '/blogs/latest?page=1&limit=10' },
    {
      row: 'tag on 30 %, page 1',
      pattern: '/blogs/tag/:tag',
      path: `/blogs/tag/${tag}?page=1&limit=10`,
    },
    { row: 'similar', pattern: '/blogs/similar/id/:id', path: `/blogs/similar/id/${ids[at]}` },
    { row: 'article by slug, br', ...bySlug, coding: 'br' },
    { row: 'article by slug, gzip', ...bySlug, coding: 'gzip' },
  ];
}

/** @param otherBuild another build to compare with; null to compare with the baseline `static` */
async function measure(
  bench: Bench,
  pressroom: Server,
  otherBuild: Server | null,
  target: Target,
): Promise<Row> {
  const { row, pattern, path, coding, isNotModified = false } = target;
  const ours = await firstExchange(bench, pressroom, target);
  if (ours === null) return notRun(row, `it sends no ${coding}`);
  const baseline = otherBuild
    ? await firstExchange(bench, otherBuild, target)
    : { ...ours, server: await startStatic(bench, pattern, ours.answer) };
  if (baseline === null) return notRun(row, `the other build sends no ${coding}`);
  try {
    const exchangeWith = (server: Server) => (server === pressroom ? ours : baseline);
    await checkAnswer(path, ours);
    await checkAnswer(path, baseline);
    const load = (server: Server) => async (order: { seconds: number }) => {
      const { headers } = exchangeWith(server);
      const measured = await bench.closedLoop({ server, path, headers, ...order });
      await checkAnswer(path, exchangeWith(server));
      return measured;
    };
    const atFixedRate = (server: Server) => {
      const { headers, answer } = exchangeWith(server);
      const body = coding || isNotModified ? {} : { answer: answer.body.toString() };
      return { rate: RATE, requests: [{ path, headers, ...body }], statuses: [answer.status] };
    };
    const servers = { ours: pressroom, baseline: baseline.server };
    return rowOf({
      case: row,
      limit: bench.limitOf(LIMIT),
      ...(await bench.compare(servers, load, atFixedRate)),
      note: `latencies at ${RATE}/s`,
    });
  } finally {
    if (!otherBuild) await baseline.server.stop();
  }
}

/** @returns null if the server does not send the coding */
async function firstExchange(
  bench: Bench,
  server: Server,
  { path, coding, isNotModified = false }: Target,
): Promise<Exchange | null> {
  const headers: Record<string, string> = {
    'x-api-key': bench.data.apiKey,
    ...(coding !== undefined && { 'accept-encoding': coding }),
  };
  const first = await settledAnswer(server, path, headers, coding);
  if (first === null) return null;
  if (isNotModified) headers['if-none-match'] = headersOf(first).etag ?? '';
  const answer = isNotModified ? await rawAnswer(server.url, path, headers) : first;
  const { status } = answer;
  if (status !== (isNotModified ? 304 : 200)) throw new Error(`${path}: ${status}`);
  return { server, headers, answer };
}

async function checkAnswer(path: string, { server, headers, answer }: Exchange): Promise<void> {
  // A 304 has no coding; then no coding is expected here either.
  const coding = headersOf(answer)['content-encoding'];
  const again = await settledAnswer(server, path, headers, coding);
  checkSame(path, again ?? (await rawAnswer(server.url, path, headers)), answer);
}

/** @returns the answer with the coding, after HITS requests at least; null if no answer has the coding in time */
async function settledAnswer(
  server: Server,
  path: string,
  headers: Record<string, string>,
  coding: string | undefined,
): Promise<RawAnswer | null> {
  const deadline = performance.now() + VARIANT_MS;
  for (let hit = 1; ; hit += 1) {
    const answer = await rawAnswer(server.url, path, headers);
    const isCoded = headersOf(answer)['content-encoding'] === coding;
    if (isCoded && hit >= HITS) return answer;
    if (performance.now() > deadline) return null;
    await wait(20);
  }
}

function startStatic(bench: Bench, pattern: string, answer: RawAnswer): Promise<Server> {
  const { status, body } = answer;
  const file = join(bench.folder, 'answer.json');
  const headers = {
    ...headersOf(answer),
    'x-request-id': Object.fromEntries(answer.headers)['x-request-id'],
  };
  const bytes = status === 304 ? null : body.toString('base64');
  writeFileSync(file, JSON.stringify({ pattern, status, headers, body: bytes }));
  return bench.startBaseline('static', { ANSWER_FILE: file });
}
