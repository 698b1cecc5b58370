/** A page deep in the list costs what the first one costs, by `cursor`. Asked one at a time, with the cache off. */
import { readEachOnce } from '../../../load/each-once.ts';
import { median, mediansOf, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { NO_LIMIT, notRun, rowOf, type Limit, type Row } from '../../report.ts';
import { ListWalker } from './list-walker.ts';

export const name = 'depth';
export const needs = { count: 1_000_000 };

const LIMIT = 10;
/** By which the way to a deep page is walked. */
const STRIDE = 100;
/** The three that have a threshold, and more of them for the curve. */
const PAGES = [1, 10, 100, 1_000, 10_000];
const THRESHOLD_PAGES = [1, 100, 10_000];
/**
 * A page and those behind it, which are as deep: so that no single answer is asked for all the time.
 * No more, or those of page 1 would reach to page 10.
 */
const NEIGHBOURS = 9;
const ROUNDS = 25;
const P50_RATIO_MAX = 1.2;

type Ask = (paths: readonly string[]) => ReturnType<typeof readEachOnce>;
type Asked = Awaited<ReturnType<Ask>>;

/** A page and its neighbours by cursor, and what each round measured of them. */
interface Page {
  readonly page: number;
  readonly paths: readonly string[];
  readonly measures: Asked[];
}

export async function run(bench: Bench): Promise<Row[]> {
  const server = await bench.startPressroom({ CACHE_MB: '0' });
  const headers = { 'x-api-key': bench.data.apiKey };
  const ask: Ask = (paths) => readEachOnce({ server, paths, headers, check: checkFull });
  const pages = await walk(new ListWalker(server.url, headers));
  if (pages === null) return [notRun('latest by cursor', 'there is no link to a next page')];
  return measureCursor(ask, pages);
}

/**
 * Follows the links as a client does, in strides, and checks that nothing comes twice or out of
 * order on the way.
 *
 * @returns null when nothing leads on
 */
async function walk(walker: ListWalker): Promise<Page[] | null> {
  const pages: Page[] = [];
  for (const page of PAGES) {
    const position = (page - 1) * LIMIT;
    while (walker.position < position) {
      const stride = Math.min(STRIDE, position - walker.position);
      if (!(await walker.step(stride))) return null;
    }
    const paths: string[] = [];
    while (paths.length < NEIGHBOURS) {
      paths.push(walker.pathOf(LIMIT));
      if (!(await walker.step(LIMIT))) return null;
    }
    pages.push({ page, paths, measures: [] });
    console.error(`depth: page ${page} reached`);
  }
  return pages;
}

async function measureCursor(ask: Ask, pages: readonly Page[]): Promise<Row[]> {
  // Once before it counts: the database reads from its cache then, at any depth.
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
    const limit: Limit = { kind: 'ratio-max', value: P50_RATIO_MAX };
    return rowOf({
      case: `latest by cursor, page ${one.page}`,
      ours: mediansOf(one.measures),
      ratio: median(p50s) / median(first),
      spread: range(p50s.map((p50, round) => p50 / (first[round] ?? NaN))),
      limit: THRESHOLD_PAGES.includes(one.page) ? limit : NO_LIMIT,
      note: 'p50 of one connection over that of page 1, cache off',
    });
  });
}

function checkFull(body: string): void {
  const { data } = JSON.parse(body) as { data: unknown[] };
  if (data.length !== LIMIT) throw new Error(`${data.length} articles instead of ${LIMIT}`);
}
