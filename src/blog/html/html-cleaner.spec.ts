import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { UnavailableError } from '../../common/http/errors/api.errors.js';
import { cleanHtml, HTML_VERSION } from './clean-html.js';
import { HtmlCleaner } from './html-cleaner.js';

const MIB = 1_048_576;
const UNCLEAN = '<h2 onclick="x()">a</h2><script>x()</script><p>é 日本 <a href="//b">c</a>&lt;</p>';

/** Of so many characters and a few more. */
function long(length: number, unit = UNCLEAN): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

const REFUSED = {
  code: '10002',
  message: 'too many long texts are being cleaned: try again in a moment',
  headers: { 'retry-after': '1' },
};
const FAILED = { ...REFUSED, message: 'the text could not be cleaned: try again in a moment' };

/** The response of every failure. */
function refusals(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => {
      expect(reason).toBeInstanceOf(UnavailableError);
      return (reason as UnavailableError).getResponse();
    });
}

describe('HtmlCleaner', () => {
  let cleaner: HtmlCleaner;

  /** The threads that it has. */
  const threads = () => cleaner['pool'].threads;

  beforeEach(() => {
    cleaner = new HtmlCleaner();
    // The deaths that these tests cause are no news.
    Logger.overrideLogger(false);
  });

  afterEach(async () => {
    await cleaner.onApplicationShutdown();
    Logger.overrideLogger(true);
  });

  it('should clean a small text where it is', async () => {
    const text = long(6_000, 'a<p onclick="b">').slice(0, 6_000);
    expect(await cleaner.clean(text)).toBe(cleanHtml(text));
    expect(threads()).toHaveLength(0);
  });

  it.each([
    ['one character too many', 'x'.repeat(6_001)],
    ['an article', long(100_000)],
    ['unpaired surrogates, controls and line ends', long(12_000, '\ud800a\0\r\n\udc00\f<b>')],
    ['what becomes plain text', '<b>'.repeat(3_000)],
    ['nothing that is left', '<script>'.repeat(3_000)],
    ['the hungriest markup that a request can carry', long(MIB - 10, '<p>')],
  ])('should make the same of a large text on its thread: %s', async (_, text) => {
    expect(await cleaner.clean(text)).toBe(cleanHtml(text));
    expect(threads()).toHaveLength(1);
  });

  it('should clean many at a time on one thread, each its own', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${long(9_000)}<i>${index}`);
    const cleaned = await Promise.all(texts.map((text) => cleaner.clean(text)));
    expect(cleaned).toEqual(texts.map((text) => cleanHtml(text)));
    expect(threads()).toHaveLength(1);
  });

  it('should leave the event loop free while it cleans', async () => {
    let turns = 0;
    let isDone = false;
    const cleaning = cleaner.clean('<'.repeat(200_000)).finally(() => (isDone = true));
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    count();
    await cleaning;
    // On the loop itself there would be one.
    expect(turns).toBeGreaterThan(50);
  });

  it('should refuse what would wait behind 2,000,000 characters, and recover', async () => {
    const text = 'x'.repeat(250_000);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 11 }, () => cleaner.clean(text)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array<string>(8).fill('fulfilled'),
      ...Array<string>(3).fill('rejected'),
    ]);
    expect(refusals(outcomes)).toEqual([REFUSED, REFUSED, REFUSED]);
    expect(await cleaner.clean(text)).toBe(text);
  });

  it('should take a stored text that is longer than all that may wait', async () => {
    const text = 'x'.repeat(2_000_001);
    expect(await cleaner.clean(text)).toBe(text);
  });

  it('should refuse the text whose thread dies, and clean those that waited behind it', async () => {
    await cleaner.clean(long(9_000));
    const texts = [...Array<string>(3).keys()].map((index) => long(100_000, `<${index}`));
    const cleanings = Promise.allSettled(texts.map((text) => cleaner.clean(text)));
    await threads()[0]?.terminate();
    const outcomes = await cleanings;
    expect(refusals(outcomes)).toEqual([FAILED]);
    expect(outcomes.slice(1)).toEqual(
      texts.slice(1).map((text) => ({ status: 'fulfilled', value: cleanHtml(text) })),
    );
  });

  it('should clean a text whose thread ends while it starts', async () => {
    const cleaning = cleaner.clean(long(9_000));
    await threads()[0]?.terminate();
    expect(await cleaning).toBe(cleanHtml(long(9_000)));
  });

  it('should refuse what waits for a thread that cannot start, and try again later', async () => {
    const { options } = cleaner['pool'];
    const { filename } = options;
    Object.assign(options, { filename: '/nowhere/clean-html.js' });
    const outcomes = await Promise.allSettled([
      cleaner.clean(long(9_000)),
      cleaner.clean(long(12_000)),
    ]);
    expect(refusals(outcomes)).toEqual([FAILED, FAILED]);
    Object.assign(options, { filename });
    expect(await cleaner.clean(long(9_000))).toBe(cleanHtml(long(9_000)));
  });

  it('should not hide an error of the cleaning itself', async () => {
    const noText = { length: 9_000 } as string;
    await expect(cleaner.clean(noText)).rejects.toThrow('toWellFormed');
    expect(await cleaner.clean(long(9_000))).toBe(cleanHtml(long(9_000)));
  });

  it('should end its thread when the server stops, also in the middle of a text', async () => {
    await cleaner.clean(long(9_000));
    const cleanings = Promise.allSettled([
      cleaner.clean('<'.repeat(MIB / 2)),
      cleaner.clean(long(MIB)),
    ]);
    await cleaner.onApplicationShutdown();
    expect(refusals(await cleanings)).toEqual([FAILED, FAILED]);
    expect(threads()).toHaveLength(0);
  });

  it.each([
    ['of today', HTML_VERSION, UNCLEAN],
    ['of an older policy', HTML_VERSION - 1, cleanHtml(UNCLEAN)],
    ['of another server', undefined, cleanHtml(UNCLEAN)],
  ])('should serve a text %s as it must be', async (_, htmlVersion, served) => {
    const stored = { text: UNCLEAN, htmlVersion: htmlVersion as number };
    expect(await cleaner.servedText(stored)).toBe(served);
    expect(await cleaner.servedTexts({ ...stored, draftText: '<i>d' })).toEqual({
      draftText: htmlVersion === HTML_VERSION ? '<i>d' : '<i>d</i>',
      text: served,
    });
  });

  it('should serve an empty text where there is none', async () => {
    const never = { htmlVersion: HTML_VERSION, draftText: '<p>a</p>' };
    expect(await cleaner.servedTexts(never)).toEqual({ draftText: '<p>a</p>', text: '' });
    expect(await cleaner.servedText({ htmlVersion: 0 })).toBe('');
  });
});
