import { parseFragment } from 'parse5';
import type { Article } from '../../scripts/support/articles.ts';
import { quantile } from '../support/statistics.ts';

const TEXT_LENGTH = 60_000;

export type Timing = ReturnType<typeof measureCleaning>;

/**
 * Times the cleaning of real texts of 60,000 characters. Cleaning and the baseline take turns on the
 * same text, so that what else the machine does strikes both alike.
 *
 * @returns times in ms; the fastest tenth says what it costs when the machine does nothing else
 */
export function measureCleaning(
  articles: readonly Article[],
  clean: (html: string) => string,
  rounds: number,
) {
  const texts = longTexts(articles.map(({ html }) => html));
  const times: Record<'clean' | 'parse' | 'cleanAgain', number>[] = [];
  // The first round compiles; it is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const text of texts) {
      const cleaned = clean(text);
      const took = {
        clean: time(() => clean(text)),
        parse: time(() => parseFragment(text)),
        cleanAgain: time(() => clean(cleaned)),
      };
      if (round > 0) times.push(took);
    }
  }
  return {
    ...{ texts: texts.length, length: TEXT_LENGTH, runs: rounds },
    clean: summaryOf(times.map((took) => took.clean)),
    cleanAgain: summaryOf(times.map((took) => took.cleanAgain)),
    parse: summaryOf(times.map((took) => took.parse)),
  };
}

/** Articles one after the other, from the start again if need be, cut where the length is reached. */
function longTexts(htmls: readonly string[]): string[] {
  const texts: string[] = [];
  let text = '';
  for (let index = 0; index < htmls.length || texts.length === 0; index += 1) {
    text += htmls[index % htmls.length];
    if (text.length >= TEXT_LENGTH) {
      texts.push(text.slice(0, TEXT_LENGTH));
      text = '';
    }
  }
  return texts;
}

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function summaryOf(times: readonly number[]) {
  const at = (share: number) => Number(quantile(times, share).toFixed(2));
  return { fastestTenth: at(0.1), median: at(0.5), p95: at(0.95) };
}
