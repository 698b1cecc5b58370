/**
 * Bar 4: a page deep in the list costs what the first one costs, by `cursor`; by `page` the skipped
 * entries are walked in the index alone. Asked one at a time, with the cache off.
 */
import { sequence } from '../load/sequence.mjs';
import { most, profiled } from '../profiler.mjs';
import { notRun, rowOf } from '../report.mjs';
import { median } from '../rounds.mjs';

export const name = 'depth';
export const bars = [4];
export const needs = { count: 1_000_000 };

const LIMIT = 10;
/** By which the way to a deep page is walked. */
const STRIDE = 100;
/** The bar's three, and more of them for the curve. */
const PAGES = [1, 10, 100, 1_000, 10_000];
const BAR_PAGES = [1, 100, 10_000];
/**
 * A page and those behind it, which are as deep: so that no single answer is asked for all the time.
 * No more, or those of page 1 would reach to page 10.
 */
const NEIGHBOURS = 9;
const ROUNDS = 25;
/** One more is read, which tells whether there is a next page. */
const BARS = { p50Ratio: 1.2, keys: LIMIT + 1, documents: LIMIT + 1 };

export async function run(bench) {
  const server = await bench.startPressroom({ CACHE_MB: '0' });
  const headers = { 'x-api-key': bench.world.apiKey };
  const ask = (paths, check) => sequence({ server, paths, headers, check });
  const pages = await walk(server, headers, bench.log);
  if (pages === null) return [notRun(4, 'latest by cursor', 'there is no link to a next page')];
  await checkSamePages(server, headers, pages);
  return [...(await measureCursor(bench, ask, pages)), ...(await measureSkip(bench, ask))];
}

/**
 * Follows the links as a client does, in strides, and checks that nothing comes twice or out of
 * order on the way.
 *
 * @returns paths by page: those of the page and its neighbours; null when nothing leads on
 */
async function walk(server, headers, log) {
  const pages = new Map();
  const walker = new Walker(server, headers);
  for (const page of PAGES) {
    const position = (page - 1) * LIMIT;
    while (walker.position < position) {
      const stride = Math.min(STRIDE, position - walker.position);
      if (!(await walker.step(stride))) return null;
    }
    const paths = [];
    while (paths.length < NEIGHBOURS) {
      paths.push(walker.pathOf(LIMIT));
      if (!(await walker.step(LIMIT))) return null;
    }
    pages.set(page, paths);
    log(`depth: page ${page} reached`);
  }
  return pages;
}

/** One who reads the list from the start. */
class Walker {
  position = 0;
  #server;
  #headers;
  #next = '/blogs/latest';
  #last = { publishedAt: '9', _id: '' };

  constructor(server, headers) {
    this.#server = server;
    this.#headers = headers;
  }

  /** The address of what comes next, with as many as wanted. */
  pathOf(limit) {
    const url = new URL(this.#next, this.#server.url);
    url.searchParams.set('limit', String(limit));
    return `${url.pathname}${url.search}`;
  }

  /** @returns false when no link leads on; @throws Error for what comes out of order */
  async step(limit) {
    const path = this.pathOf(limit);
    const response = await fetch(`${this.#server.url}${path}`, { headers: this.#headers });
    const { message, data } = await response.json();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${message}`);
    for (const item of data) this.#follow(item, path);
    this.position += data.length;
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    if (next === undefined) return false;
    // A link is relative to the page that it stands on.
    this.#next = new URL(next, `${this.#server.url}${path}`).href;
    return true;
  }

  /** Newest first, then by id, each once: a later one is strictly below the one before. */
  #follow(item, path) {
    const { publishedAt, _id } = this.#last;
    const isBelow =
      item.publishedAt < publishedAt || (item.publishedAt === publishedAt && item._id < _id);
    if (!isBelow) throw new Error(`${path}: ${item._id} comes after ${_id}`);
    this.#last = item;
  }
}

/** By cursor and by page, the same place of the list has the same articles. */
async function checkSamePages(server, headers, pages) {
  for (const [page, [path]] of pages) {
    const [byCursor, byPage] = await Promise.all(
      [path, pathOfPage(page)].map(async (address) => {
        const response = await fetch(`${server.url}${address}`, { headers });
        const { data } = await response.json();
        return JSON.stringify(data.map(({ _id }) => _id));
      }),
    );
    if (byCursor !== byPage || byPage === '[]') {
      throw new Error(`page ${page}: ${byCursor} by cursor, ${byPage} by page`);
    }
  }
}

async function measureCursor(bench, ask, pages) {
  const measures = new Map(PAGES.map((page) => [page, []]));
  // Once before it counts: the database reads from its cache then, at any depth.
  for (const page of PAGES) await ask(pages.get(page), isFull);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const page of round % 2 === 0 ? PAGES : PAGES.toReversed()) {
      measures.get(page).push(await ask(pages.get(page), isFull));
    }
  }
  const operations = await profiled(bench.mongo.uri, async () => {
    for (const page of PAGES) await ask(pages.get(page).slice(0, 5), isFull);
  });
  const keys = most(operations, 'keysExamined');
  const documents = most(operations, 'docsExamined');
  const p50Of = (page) => median(measures.get(page).map(({ p50 }) => p50));
  const rows = PAGES.map((page) => {
    const ratios = measures.get(page).map(({ p50 }, round) => p50 / measures.get(1)[round].p50);
    return rowOf({
      bar: 4,
      case: `latest by cursor, page ${page}`,
      depth: page * LIMIT,
      ours: medianOf(measures.get(page)),
      ratio: p50Of(page) / p50Of(1),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      limit: BAR_PAGES.includes(page)
        ? { kind: 'ratio-max', value: BARS.p50Ratio }
        : { kind: 'none' },
      note: 'p50 of one connection over that of page 1, cache off; same articles as by page',
    });
  });
  return [
    ...rows,
    rowOf({
      bar: 4,
      case: 'latest by cursor, keys examined',
      ours: null,
      value: keys,
      limit: { kind: 'max', value: BARS.keys, unit: 'keys' },
      note: `most of ${operations.length} profiled queries; documents: at most ${documents}`,
    }),
  ];
}

async function measureSkip(bench, ask) {
  const rows = [];
  for (const page of PAGES) {
    const paths = Array.from({ length: NEIGHBOURS }, (_, index) => pathOfPage(page + index));
    const measures = [];
    const operations = await profiled(bench.mongo.uri, () => ask(paths.slice(0, 3), isFull));
    for (let round = 0; round < 3; round += 1) measures.push(await ask(paths, isFull));
    rows.push(
      rowOf({
        bar: 4,
        case: `latest by page, page ${page}`,
        depth: page * LIMIT,
        ours: medianOf(measures),
        value: most(operations, 'docsExamined'),
        // Those of the page, and none of those that are skipped.
        limit: { kind: 'max', value: BARS.documents, unit: 'documents' },
        note: `latency reported; page ${page + 2}: ${most(operations, 'keysExamined')} keys examined`,
      }),
    );
  }
  return rows;
}

function pathOfPage(page) {
  return `/blogs/latest?page=${page}&limit=${LIMIT}`;
}

function isFull({ body }) {
  const { data } = JSON.parse(body);
  if (data.length !== LIMIT) throw new Error(`${data.length} articles instead of ${LIMIT}`);
}

function medianOf(measures) {
  const fields = ['rate', 'p50', 'p99', 'p999'];
  return Object.fromEntries(
    fields.map((field) => [field, median(measures.map((measure) => measure[field]))]),
  );
}
