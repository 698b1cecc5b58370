import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readArticles } from '../scripts/support/articles.ts';
import { compareArticles } from './html/losses.mjs';
import { measureCleaning } from './html/timing.mjs';

const USAGE = `usage: npm run bench:html -- [--articles FILE] [--rounds N]

Cleans real articles and tells what is lost and what it costs. Exits with 1 when visible text, a link
target that the contract allows, an image or a code block is lost, or something without a reason.

  --articles FILE  one JSON object a line with a field "html";
                   default: PRESSROOM_ARTICLES, else the sample of the journey
  --rounds N       how often every text is cleaned; default 20`;

const SAMPLE = fileURLToPath(new URL('../scripts/support/articles.ndjson', import.meta.url));
const CLEANER = new URL('../dist/blog/html/clean-html.js', import.meta.url);
const BAR_MS = 15;

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: process.env.PRESSROOM_ARTICLES ?? SAMPLE },
    rounds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(USAGE);
} else {
  process.exitCode = await run(values.articles, Number(values.rounds));
}

async function run(file, rounds) {
  if (!existsSync(CLEANER)) {
    console.error('There is no build: npm run build');
    return 2;
  }
  const { cleanHtml, HTML_VERSION } = await import(CLEANER.href);
  const articles = readArticles(file);
  console.log(`${articles.length} articles of ${file}, policy version ${HTML_VERSION}`);
  const hasLosses = reportLosses(compareArticles(articles, cleanHtml));
  reportTiming(measureCleaning(articles, cleanHtml, rounds));
  return hasLosses ? 1 : 0;
}

function reportLosses({ kept, dropped, losses }) {
  console.log('\nKept:');
  console.table(kept);
  console.log('Dropped:');
  console.table(dropped.map(({ kind, count, reason }) => ({ kind, count, reason })));
  const unexplained = dropped.filter(({ isExplained }) => !isExplained);
  for (const { slug, kind, what } of losses) {
    console.error(`LOST in ${slug}: ${kind} ${JSON.stringify(what)}`);
  }
  for (const { kind, count } of unexplained) {
    console.error(`DROPPED without a reason: ${kind}, ${count} times`);
  }
  const hasLosses = losses.length + unexplained.length > 0;
  console.log(
    hasLosses ? 'Something is lost.' : 'No visible text, link target, image or code lost.',
  );
  return hasLosses;
}

function reportTiming({ texts, length, runs, clean, parse, cleanAgain }) {
  console.log(`\nCleaning ${texts} texts of ${length} characters, ${runs} times each, in turn:`);
  console.table({ clean, 'clean again what is clean': cleanAgain, 'parse (baseline)': parse });
  console.log(
    `Median ${clean.median} ms (bar: ${BAR_MS} ms, ${clean.median <= BAR_MS ? 'met' : 'MISSED'}), ` +
      `${(clean.median / parse.median).toFixed(1)} times a bare parse of the same text`,
  );
}
