/**
 * Bar 8: articles of 5 KB written, edited, submitted and published by 16 connections, against bare
 * Fastify on the bare driver doing the same.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cleanHtml } from '../../../dist/blog/html.js';
import { writeLoop } from '../load/write-loop.mjs';
import { rowOf } from '../report.mjs';

export const name = 'writes';
export const bars = [8];
export const needs = { count: 1_000 };

const ROW = 'create, edit, submit, publish';
const CONNECTIONS = 16;
const TEXT_BYTES = 5_000;
const ARTICLES = fileURLToPath(
  new URL('../../../scripts/journey/articles.ndjson', import.meta.url),
);

export async function run(bench) {
  if (!bench.wants(ROW)) return [];
  const { authors, apiKey } = bench.world;
  const [author] = authors;
  const pressroom = await bench.startPressroom({ ACCESS_TOKEN_TTL: '12h' });
  const baseline = await bench.startBaseline('driver-writes', { AUTHOR_ID: author._id });
  const token = await pressroom.signIn(author);
  const texts = textsOf(bench.options.articles ?? ARTICLES);
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

/** Texts of about 5 KB from real articles, with what cleaning must leave of them. */
function textsOf(file) {
  const articles = readFileSync(file, 'utf8').trim().split('\n');
  const blocks = articles
    .slice(0, 100)
    .flatMap((line) => JSON.parse(line).html.split('\n'))
    .filter((block) => /^<(p|h2|h3)>.*<\/(p|h2|h3)>$/.test(block) && block.length < 2_000);
  return Array.from({ length: 20 }, (_, index) => {
    let html = `<h2>Text ${index}</h2>`;
    for (let at = index * 7; html.length < TEXT_BYTES; at += 1) {
      html += `\n${blocks[at % blocks.length]}`;
    }
    return { html, cleaned: cleanHtml(html) };
  });
}
