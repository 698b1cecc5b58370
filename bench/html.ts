import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { readArticles, SAMPLE_ARTICLES } from '../scripts/support/articles.ts';
import { compareArticles, type Comparison } from './html/losses.ts';
import { measureCleaning, type Timing } from './html/timing.ts';
import { built } from './support/built.ts';
import { runProgram, valuesOf } from './support/program.ts';

const USAGE = `usage: npm run bench:html -- [--articles FILE] [--rounds N]

Cleans real articles and tells what is lost and what it costs. Exits with 1 when visible text, a link
target that the server allows, a link within the article, an image or a code block is lost, or something
without a reason. "anchor" counts the links within an article that lead somewhere.

  --articles FILE  one JSON object a line with a field "html";
                   default: PRESSROOM_ARTICLES, else the sample of the journey
  --rounds N       how often every text is cleaned; default 20`;

const BAR_MS = 15;

await runProgram(USAGE, async (args) => {
  const values = valuesOf(args, USAGE, {
    articles: { type: 'string', default: process.env.PRESSROOM_ARTICLES ?? SAMPLE_ARTICLES },
    rounds: { type: 'string', default: '20' },
  });
  buildIfStale();
  const { cleanHtml, HTML_VERSION } = await built('blog/core/html/clean-html');
  const articles = readArticles(values.articles);
  console.log(`${articles.length} articles of ${values.articles}, policy version ${HTML_VERSION}`);
  process.exitCode = reportLosses(compareArticles(articles, cleanHtml)) ? 1 : 0;
  reportTiming(measureCleaning(articles, cleanHtml, Number(values.rounds)));
});

/** @returns whether there are any */
function reportLosses({ kept, dropped, losses }: Comparison): boolean {
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

function reportTiming({ texts, length, runs, clean, parse, cleanAgain }: Timing): void {
  console.log(`\nCleaning ${texts} texts of ${length} characters, ${runs} times each, in turn:`);
  console.table({ clean, 'clean again what is clean': cleanAgain, 'parse (baseline)': parse });
  console.log(
    `Median ${clean.median} ms (bar: ${BAR_MS} ms, ${clean.median <= BAR_MS ? 'met' : 'MISSED'}), ` +
      `${(clean.median / parse.median).toFixed(1)} times a bare parse of the same text`,
  );
}
