/**
 * Bar 1: reads that are served from memory, against bare Fastify that sends the same bytes with the
 * same headers. Rates by wrk in a closed loop; latencies at a fixed rate.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { checkSame, headersOf } from '../answers.mjs';
import { rawAnswer } from '../load/raw-answer.mjs';
import { NO_LIMIT, notRun, rowOf } from '../report.mjs';

export const name = 'warm';
export const bars = [1];
export const needs = { count: 1_000 };

const LIMIT = { kind: 'ratio-min', value: 0.85 };
const RATE = 2_000;
/** A compressed variant is made in the background; this is ample. */
const VARIANT_MS = 3_000;
const HITS = 5;

export async function run(bench) {
  const plain = await bench.startPressroom();
  const rows = [];
  for (const target of targetsOf(bench.world).filter(({ row }) => bench.wants(row))) {
    rows.push(await bench.attempt(1, target.row, () => measure(bench, plain, target)));
  }
  if (bench.wants('article by slug, every request logged')) {
    const logging = await bench.startPressroom({ LOG_REQUESTS: 'all' });
    const [bySlug] = targetsOf(bench.world);
    const row = 'article by slug, every request logged';
    const target = { ...bySlug, row, limit: NO_LIMIT };
    rows.push(await bench.attempt(1, row, () => measure(bench, logging, target)));
  }
  return rows;
}

function targetsOf({ slugs, ids, tags }) {
  const at = Math.floor(slugs.length / 2);
  const bySlug = {
    pattern: '/blog/slug/:slug',
    path: `/blog/slug/${encodeURIComponent(slugs[at])}`,
  };
  return [
    { row: 'article by slug', ...bySlug },
    { row: 'article by slug, 304', ...bySlug, isNotModified: true },
    { row: 'article by id', pattern: '/blog/id/:id', path: `/blog/id/${ids[at]}` },
    { row: 'latest, page 1', pattern: '/blogs/latest', path: '/blogs/latest?page=1&limit=10' },
    {
      row: 'tag on 30 %, page 1',
      pattern: '/blogs/tag/:tag',
      path: `/blogs/tag/${encodeURIComponent(tags[0].tag)}?page=1&limit=10`,
    },
    { row: 'similar', pattern: '/blogs/similar/id/:id', path: `/blogs/similar/id/${ids[at]}` },
    { row: 'article by slug, br', ...bySlug, coding: 'br' },
    { row: 'article by slug, gzip', ...bySlug, coding: 'gzip' },
  ];
}

async function measure(bench, pressroom, target) {
  const { row, pattern, path, coding, isNotModified = false, limit = LIMIT } = target;
  const headers = {
    'x-api-key': bench.world.apiKey,
    ...(coding === undefined ? {} : { 'accept-encoding': coding }),
  };
  const first = await settledAnswer(pressroom, path, headers, coding);
  if (first === null) return notRun(1, row, `it sends no ${coding}`);
  if (isNotModified) headers['if-none-match'] = headersOf(first).etag;
  const answer = isNotModified ? await rawAnswer(pressroom.url, path, headers) : first;
  if (answer.status !== (isNotModified ? 304 : 200)) throw new Error(`${path}: ${answer.status}`);
  // None at a 304.
  const contentCoding = headersOf(answer)['content-encoding'];
  const baseline = await startStatic(bench, pattern, answer);
  const servers = { ours: pressroom, baseline };
  try {
    const check = async () => {
      for (const server of Object.values(servers)) {
        const again = await settledAnswer(server, path, headers, contentCoding);
        checkSame(path, again ?? (await rawAnswer(server.url, path, headers)), answer);
      }
    };
    await check();
    const load = (server) => async (options) => {
      const measured = await bench.closedLoop({ server, path, headers, ...options });
      await check();
      return measured;
    };
    const result = await bench.rounds({ ours: load(pressroom), baseline: load(baseline) });
    const calm = await bench.atFixedRate({
      servers,
      rate: RATE,
      requests: [
        { path, headers, ...(coding || isNotModified ? {} : { answer: `${answer.body}` }) },
      ],
      statuses: [answer.status],
    });
    const { ratio, spread } = result;
    const ours = { ...result.ours, ...calm.ours };
    const note = `latencies at ${RATE}/s`;
    return rowOf({
      bar: 1,
      case: row,
      ours,
      baseline: { ...result.baseline, ...calm.baseline },
      ratio,
      spread,
      limit,
      note,
    });
  } finally {
    await baseline.stop();
  }
}

/** @returns the answer once it has been served from memory; null when the coding never comes */
async function settledAnswer(server, path, headers, coding) {
  const deadline = performance.now() + VARIANT_MS;
  for (let hit = 1; ; hit += 1) {
    const answer = await rawAnswer(server.url, path, headers);
    const isCoded = headersOf(answer)['content-encoding'] === coding;
    if (isCoded && hit >= HITS) return answer;
    if (performance.now() > deadline) return null;
    await wait(20);
  }
}

function startStatic(bench, pattern, { status, headerLines, body }) {
  const file = join(bench.folder, 'answer.json');
  const [id] = headerLines.flatMap((line) => /^x-request-id: (.+)$/i.exec(line)?.[1] ?? []);
  const headers = { ...headersOf({ headerLines }), 'x-request-id': id };
  const bytes = status === 304 ? null : body.toString('base64');
  writeFileSync(file, JSON.stringify({ pattern, status, headers, body: bytes }));
  return bench.startBaseline('static', { ANSWER_FILE: file });
}
