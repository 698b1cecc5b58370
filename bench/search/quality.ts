import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { readArticles, SAMPLE_ARTICLES } from '../../scripts/support/articles.ts';
import { startOwnServer } from '../../scripts/support/own-server.ts';
import { atLeast, report, type Finding } from '../support/findings.ts';
import type { Asked } from './quality-answers.ts';
import { circumstances, circumstancesText } from '../support/machine/circumstances.ts';
import { UNPINNED } from '../support/machine/cpus.ts';
import { atEnd, runProgram, valuesOf } from '../support/program.ts';
import { randomOf } from '../support/statistics.ts';

const USAGE = `usage: npm run bench:search-quality -- [--articles FILE] [--short] [--verbose]

Whether a search finds what is meant: publishes the articles through the API, and asks questions made of
them, the same ones in every run. Exits with 1 when a threshold is missed.

  --articles FILE  one JSON object a line; default: PRESSROOM_ARTICLES, else the sample of the journey
  --short          the sample of the journey, and a fifth of the questions
  --verbose        prints each question whose first result was not a right article`;

const QUESTIONS = { usual: 500, short: 100 };
const SEED = 11;
const THRESHOLDS = { first: 0.9, amongFive: 0.98 };

await runProgram(USAGE, async (args) => {
  const { articles, short, verbose } = valuesOf(args, USAGE, {
    articles: { type: 'string', default: process.env.PRESSROOM_ARTICLES ?? SAMPLE_ARTICLES },
    short: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  });
  const form = short ? 'short' : 'usual';
  buildIfStale();
  // The modules are imported after the build, because their imports read the built server.
  const { ask, plainArticles, publishAll } = await import('./quality-answers.ts');
  const { questionsOf } = await import('./quality-questions.ts');
  const base = readArticles(short ? SAMPLE_ARTICLES : articles);
  const server = await startOwnServer();
  atEnd(() => server.stop());
  const search = await publishAll(server.call, base);
  const plain = await plainArticles(base);
  const questions = questionsOf(plain, { random: randomOf(SEED), count: QUESTIONS[form] });
  const answers = await ask(search, questions);
  const where = circumstances({
    script: 'bench:search-quality',
    cpus: UNPINNED,
    mongoVersion: server.mongod()?.version ?? 'unknown',
    count: base.length,
  });
  console.log(`${circumstancesText(where)}\n`);
  if (verbose) console.log(`${failuresOf(answers, (number) => base[number]?.title ?? '?')}\n`);
  const findings = findingsOf(answers);
  report(findings, 'questions');
});

function findingsOf(answers: readonly Asked[]): Finding[] {
  const kinds = [...new Set(answers.map(({ question }) => question.kind))];
  const share = (some: readonly Asked[], of: 'isFirst' | 'isAmongFive') =>
    some.filter((each) => each[of]).length / some.length;
  const ofKinds = kinds.map((kind) => {
    const some = answers.filter(({ question }) => question.kind === kind);
    const [first, among] = [percent(share(some, 'isFirst')), percent(share(some, 'isAmongFive'))];
    return { what: `${kind}: ${some.length}`, measured: `${first} first, ${among} among five` };
  });
  const { first, amongFive } = THRESHOLDS;
  return [
    ...ofKinds,
    atLeast(`right article first, of ${answers.length}`, share(answers, 'isFirst'), first),
    atLeast('right article among the first five', share(answers, 'isAmongFive'), amongFive),
  ];
}

function failuresOf(answers: readonly Asked[], titleOf: (number: number) => string): string {
  return answers
    .filter(({ isFirst }) => !isFirst)
    .map(({ question: { kind, q, right }, found, isAmongFive }) =>
      [
        `${kind}: ${JSON.stringify(q)}${isAmongFive ? '' : ', not among five'}`,
        ...[...right].slice(0, 3).map((number) => `  meant: ${titleOf(number)}`),
        ...found.slice(0, 3).map((number) => `  found: ${titleOf(number)}`),
      ].join('\n'),
    )
    .join('\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
