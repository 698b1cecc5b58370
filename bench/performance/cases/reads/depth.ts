/**
 * Checks that a deep page of a list, read by `cursor`, takes no longer than the first page. Sends one request at a
 * time, without cache.
 */
import { readEachOnce } from '../../../load/each-once.ts';
import { median, mediansOf, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { NO_LIMIT, rowOf, type Limit, type Row } from '../../report.ts';

export const name = 'depth';
export const needs = { count: 1_000_000 };

const LIMIT = 10;
/** Number of articles of a step on the way to a deep page. */
const STRIDE = 100;
/** Numbers of the measured pages. Those that are not in THRESHOLD_PAGES only show the curve. */
const PAGES = [1, 10, 100, 1_000, 10_000];
const THRESHOLD_PAGES = [1, 100, 10_000];
/**
 * Number of consecutive pages that are read for each measured page, so that the same page is not read again and
 * again. They are about as deep as the measured page; with more, those of page 1 would reach page 10.
 */
const NEIGHBOURS = 9;
const ROUNDS = 25;
const P50_RATIO: Limit = { kind: 'ratio-max', value: 1.2 };

type Headers = Readonly<Record<string, string>>;

/** A page and its neighbours by cursor, with the measurements of each round. */
interface Page {
  readonly page: number;
  readonly paths: readonly string[];
  readonly measures: Awaited<ReturnType<typeof readEachOnce>>[];
}

export async function run(bench: Bench): Promise<Row[]> {
  const server = await bench.startPressroom({ CACHE_MB: '0' });
  const headers = { 'x-api-key': bench.data.apiKey };
  const ask = (paths: readonly string[]) =>
    readEachOnce({ server, paths, headers, check: checkFull });
  const pages = await walk(server.url, headers);
  // Each path is read once before it is measured, so that the database has the data of every depth in its cache.
  for (const { paths } of pages) await ask(paths);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { paths, measures } of round % 2 === 0 ? pages : pages.toReversed()) {
      measures.push(await ask(paths));
    }
  }
  const p50sOf = (page?: Page) => page?.measures.map(({ p50 }) => p50) ?? [];
  const first = p50sOf(pages[0]);
  return pages.map((one) => {
    const p50s = p50sOf(one);
    return rowOf({
      case: `latest by cursor, page ${one.page}`,
      ours: mediansOf(one.measures),
      ratio: median(p50s) / median(first),
      spread: range(p50s.map((p50, round) => p50 / (first[round] ?? NaN))),
      limit: THRESHOLD_PAGES.includes(one.page) ? P50_RATIO : NO_LIMIT,
      note: 'p50 of one connection over that of page 1, cache off',
    });
  });
}

/** Follows the links as a client does, in strides, to each of the pages. */
async function walk(url: string, headers: Headers): Promise<Page[]> {
  const pages: Page[] = [];
  let position = 0;
  let next = new URL('/blogs/latest', url);
  const step = async (limit: number): Promise<string> => {
    next.searchParams.set('limit', String(limit));
    const { status, headers: answered } = await fetch(next, { headers });
    const [, link] = /^<([^>]+)>; rel="next"$/.exec(answered.get('link') ?? '') ?? [];
    const path = `${next.pathname}${next.search}`;
    if (link === undefined) throw new Error(`${path}: ${status} without a link to a next page`);
    // The link is relative to the page that contains it.
    next = new URL(link, next);
    position += limit;
    return path;
  };
  for (const page of PAGES) {
    const start = (page - 1) * LIMIT;
    while (position < start) await step(Math.min(STRIDE, start - position));
    const paths: string[] = [];
    while (paths.length < NEIGHBOURS) paths.push(await step(LIMIT));
    pages.push({ page, paths, measures: [] });
    console.error(`depth: page ${page} reached`);
  }
  return pages;
}

function checkFull(body: string): void {
  const { data } = JSON.parse(body) as { data: unknown[] };
  if (data.length !== LIMIT) throw new Error(`${data.length} articles instead of ${LIMIT}`);
}
