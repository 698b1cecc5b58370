import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { readArticles, SAMPLE_ARTICLES } from '../../scripts/support/articles.ts';
import { startOwnServer } from '../../scripts/support/own-server.ts';
import { table } from '../../scripts/support/table.ts';
import type { Asked } from './quality-answers.ts';
import { circumstances, circumstancesText } from '../support/machine/circumstances.ts';
import { atEnd, runProgram, valuesOf } from '../support/program.ts';
import { randomOf } from '../support/statistics.ts';

const USAGE = `usage: npm run bench:search-quality -- [--articles FILE] [--short] [--verbose]

Whether a search finds what is meant: publishes the articles through the API, and asks questions made of
them, the same ones in every run. Exits with 1 when a bar is missed.

  --articles FILE  one JSON object a line; default: PRESSROOM_ARTICLES, else the sample of the journey
  --short          the sample of the journey, and a fifth of the questions
  --verbose        prints each question whose answer was not the first`;

const QUESTIONS = { usual: 500, short: 100 };
const PAIRS = { usual: 100, short: 20 };
const SEED = 11;
const BARS = { first: 0.9, among: 0.98 };

await runProgram(USAGE, async (args) => {
  const { articles, short, verbose } = valuesOf(args, USAGE, {
    articles: { type: 'string', default: process.env.PRESSROOM_ARTICLES ?? SAMPLE_ARTICLES },
    short: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  });
  const form = short ? 'short' : 'usual';
  buildIfStale();
  // What they import reads the built server.
  const { ask, plainArticles, publishAll, recallOfPairs } = await import('./quality-answers.ts');
  const { askedOf } = await import('./quality-questions.ts');
  const base = readArticles(short ? SAMPLE_ARTICLES : articles);
  const server = await startOwnServer();
  atEnd(() => server.stop());
  const search = await publishAll(server.call, base);
  const plain = await plainArticles(base);
  const questions = askedOf(plain, { random: randomOf(SEED), count: QUESTIONS[form] });
  const asked = await ask(search, questions);
  const pairs = await recallOfPairs(search, plain, PAIRS[form]);
  const where = circumstances({
    script: 'bench:search-quality',
    cpus: { server: null, load: null, note: 'not pinned' },
    mongoVersion: server.mongod()?.version ?? 'unknown',
    count: base.length,
  });
  console.log(`${circumstancesText(where)}\n`);
  if (verbose) console.log(`${failuresOf(asked, (number) => base[number]?.title ?? '?')}\n`);
  const isReached = report(asked);
  console.log(
    `\nPairs of common words: ${pairs.pairs}. Of the articles with both, or of 100 of them, ` +
      `${percent(pairs.recall)} were found; others: ${pairs.wrong}`,
  );
  console.log(
    `\n${isReached.filter(Boolean).length} passed, ${isReached.filter((is) => !is).length} failed`,
  );
  process.exitCode = isReached.every(Boolean) ? 0 : 1;
});

/** @returns whether each bar is reached */
function report(asked: readonly Asked[]): boolean[] {
  const kinds = [...new Set(asked.map(({ question }) => question.kind))];
  const share = (some: readonly Asked[], of: 'isFirst' | 'isAmong') =>
    some.filter((each) => each[of]).length / some.length;
  const row = (name: string, some: readonly Asked[]) => [
    ...[
      name,
      String(some.length),
      percent(share(some, 'isFirst')),
      percent(share(some, 'isAmong')),
    ],
  ];
  console.log(
    table([
      ['questions', 'asked', 'a right one first', 'among five'],
      ...kinds.map((kind) =>
        row(
          kind,
          asked.filter(({ question }) => question.kind === kind),
        ),
      ),
      row('all', asked),
      ['at least', '', percent(BARS.first), percent(BARS.among)],
    ]),
  );
  return [share(asked, 'isFirst') >= BARS.first, share(asked, 'isAmong') >= BARS.among];
}

function failuresOf(asked: readonly Asked[], titleOf: (number: number) => string): string {
  return asked
    .filter(({ isFirst }) => !isFirst)
    .map(({ question: { kind, q, right }, found, isAmong }) =>
      [
        `${kind}: ${JSON.stringify(q)}${isAmong ? '' : ', not among five'}`,
        ...[...right].slice(0, 3).map((number) => `  meant: ${titleOf(number)}`),
        ...found.slice(0, 3).map((number) => `  found: ${titleOf(number)}`),
      ].join('\n'),
    )
    .join('\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
