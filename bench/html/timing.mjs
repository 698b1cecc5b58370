import { parseFragment } from 'parse5';

const TEXT_LENGTH = 60_000;

/**
 * Times the cleaning of real texts of 60,000 characters. Cleaning and the baseline take turns on the
 * same text, so that what else the machine does strikes both alike.
 *
 * @returns {texts, length, runs, clean, cleanAgain, parse}, the last three {fastestTenth, median, p95} in
 *   ms; the first says what it costs when the machine does nothing else
 */
export function measureCleaning(articles, clean, rounds) {
  const texts = longTexts(articles.map(({ html }) => html));
  const times = { clean: [], cleanAgain: [], parse: [] };
  // The first round compiles; it is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const text of texts) {
      const cleaned = clean(text);
      const took = {
        clean: time(() => clean(text)),
        parse: time(() => parseFragment(text)),
        cleanAgain: time(() => clean(cleaned)),
      };
      for (const [kind, ms] of Object.entries(round === 0 ? {} : took)) {
        times[kind].push(ms);
      }
    }
  }
  const figures = Object.entries(times).map(([kind, all]) => [kind, summary(all)]);
  return { texts: texts.length, length: TEXT_LENGTH, runs: rounds, ...Object.fromEntries(figures) };
}

/** Articles one after the other, from the start again if need be, cut where the length is reached. */
function longTexts(htmls) {
  const texts = [];
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

function time(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function summary(times) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share) => Number(sorted[Math.floor((sorted.length - 1) * share)].toFixed(2));
  return { fastestTenth: at(0.1), median: at(0.5), p95: at(0.95) };
}
