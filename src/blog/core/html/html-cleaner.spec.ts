import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { unavailableBodies } from '../../../../test/support/checks/unavailable-bodies.js';
import { validateEnv } from '../../../platform/config/env.js';
import { cleanAndReport, cleanHtml, HTML_VERSION, htmlVersionOf } from './clean-html.js';
import { HtmlCleaner } from './html-cleaner.js';

const MIB = 1_048_576;
const UNCLEAN = '<h2 onclick="x()">a</h2><script>x()</script><p>é 日本 <a href="//b">c</a>&lt;</p>';

/** A text of at least this length. */
function long(length: number, unit = UNCLEAN): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

const REFUSED = {
  reason: 'overloaded',
  code: '10002',
  message: 'too many long texts are being cleaned: try again in a moment',
  headers: { 'retry-after': '1' },
};
const FAILED = { ...REFUSED, message: 'the text could not be cleaned: try again in a moment' };

describe('HtmlCleaner', () => {
  let cleaner: HtmlCleaner;

  const threads = () => cleaner['pool'].threads;

  beforeEach(() => {
    cleaner = new HtmlCleaner(validateEnv({}));
    // Hides the errors that ThreadPool logs when the tests end threads.
    Logger.overrideLogger(false);
  });

  afterEach(async () => {
    await cleaner.onApplicationShutdown();
    Logger.overrideLogger(true);
  });

  it('should clean a short text on the event loop', async () => {
    const text = long(6_000, 'a<p onclick="b">').slice(0, 6_000);
    expect(await cleaner.clean(text)).toEqual(cleanAndReport(text));
    expect(threads()).toHaveLength(0);
  });

  it.each([
    ['one character too many', 'x'.repeat(6_001)],
    ['unpaired surrogates, controls and line ends', long(12_000, '\ud800a\0\r\n\udc00\f<b>')],
    ['markup that becomes plain text', '<b>'.repeat(3_000)],
  ])('should clean a long text on the thread, with the same result: %s', async (_, text) => {
    expect(await cleaner.clean(text)).toEqual(cleanAndReport(text));
    expect(threads()).toHaveLength(1);
  });

  it('should clean as many unclosed <p> as fit into a request, which need much memory', async () => {
    const count = Math.floor((MIB - 10) / 3);
    const { html } = await cleaner.clean('<p>'.repeat(count));
    expect(html === '<p></p>'.repeat(count)).toBe(true);
  });

  it('should keep iframes of the allowed hosts, also on the thread, and clean again what was cleaned without embeds', async () => {
    const frame =
      '<iframe src="https://x.example/a"></iframe><iframe src="https://y.example"></iframe>';
    const embedding = new HtmlCleaner(validateEnv({ EMBED_HOSTS: 'x.example' }));
    for (const text of [frame, long(9_000, frame)]) {
      const cleaned = await embedding.clean(text);
      expect(cleaned).toEqual(cleanAndReport(text, ['x.example']));
      expect(cleaned.html).toContain('<iframe src="https://x.example/a"');
    }
    const served = [embedding.version, HTML_VERSION].map((htmlVersion) =>
      embedding.servedText({ text: UNCLEAN, htmlVersion }),
    );
    expect(await Promise.all(served)).toEqual([UNCLEAN, cleanHtml(UNCLEAN)]);
    await embedding.onApplicationShutdown();
  });

  it('should leave the event loop free while it cleans', async () => {
    let turns = 0;
    let isDone = false;
    const cleaning = cleaner.clean('<'.repeat(50_000)).finally(() => (isDone = true));
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    count();
    await cleaning;
    // If the event loop were blocked, there would be one turn.
    expect(turns).toBeGreaterThan(50);
  });

  it('should refuse a text when 2,000,000 characters wait, and recover', async () => {
    const text = 'x'.repeat(250_000);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 11 }, () => cleaner.clean(text)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array<string>(8).fill('fulfilled'),
      ...Array<string>(3).fill('rejected'),
    ]);
    expect(unavailableBodies(outcomes)).toEqual([REFUSED, REFUSED, REFUSED]);
    expect((await cleaner.clean(text)).html).toBe(text);
  });

  it('should clean a text that alone exceeds the limit of waiting characters', async () => {
    const text = 'x'.repeat(2_000_001);
    expect((await cleaner.clean(text)).html).toBe(text);
  });

  it('should fail for the text whose thread dies, and clean the texts that waited behind it', async () => {
    await cleaner.clean(long(9_000));
    const texts = [...Array<string>(3).keys()].map((index) => long(30_000, `<${index}`));
    const cleanings = Promise.allSettled(texts.map((text) => cleaner.clean(text)));
    await threads()[0]?.terminate();
    const outcomes = await cleanings;
    expect(unavailableBodies(outcomes)).toEqual([FAILED]);
    expect(outcomes.slice(1)).toEqual(
      texts.slice(1).map((text) => ({ status: 'fulfilled', value: cleanAndReport(text) })),
    );
  });

  it('should clean a text although the thread is terminated while starting', async () => {
    const cleaning = cleaner.clean(long(9_000));
    await threads()[0]?.terminate();
    expect(await cleaning).toEqual(cleanAndReport(long(9_000)));
  });

  it('should fail for texts when the thread cannot start, and start it for the next text', async () => {
    const { options } = cleaner['pool'];
    const { filename } = options;
    Object.assign(options, { filename: '/nowhere/clean-html.js' });
    const outcomes = await Promise.allSettled([
      cleaner.clean(long(9_000)),
      cleaner.clean(long(12_000)),
    ]);
    expect(unavailableBodies(outcomes)).toEqual([FAILED, FAILED]);
    Object.assign(options, { filename });
    expect(await cleaner.clean(long(9_000))).toEqual(cleanAndReport(long(9_000)));
  });

  it('should not hide an error of the cleaning itself', async () => {
    const noText = { length: 9_000 } as string;
    await expect(cleaner.clean(noText)).rejects.toThrow('toWellFormed');
    expect(await cleaner.clean(long(9_000))).toEqual(cleanAndReport(long(9_000)));
  });

  it('should end its thread when the server stops, also in the middle of a text', async () => {
    await cleaner.clean(long(9_000));
    const cleanings = Promise.allSettled([
      cleaner.clean('<'.repeat(MIB / 2)),
      cleaner.clean(long(MIB)),
    ]);
    await cleaner.onApplicationShutdown();
    expect(unavailableBodies(await cleanings)).toEqual([FAILED, FAILED]);
    expect(threads()).toHaveLength(0);
  });

  it.each([
    ['of the current policy', HTML_VERSION, UNCLEAN],
    ['of an older policy', HTML_VERSION - 1, cleanHtml(UNCLEAN)],
    ['of a policy with embeds', htmlVersionOf(['x.example']), cleanHtml(UNCLEAN)],
    ['without a version', undefined, cleanHtml(UNCLEAN)],
  ])('should clean a served text unless it is current: %s', async (_, htmlVersion, served) => {
    const stored = { text: UNCLEAN, htmlVersion: htmlVersion as number };
    expect(await cleaner.servedText(stored)).toBe(served);
    expect(await cleaner.servedTexts({ ...stored, draftText: '<i>d' })).toEqual({
      draftText: htmlVersion === HTML_VERSION ? '<i>d' : '<i>d</i>',
      text: served,
    });
  });

  it('should serve an empty text if none is stored', async () => {
    const neverPublished = { htmlVersion: HTML_VERSION, draftText: '<p>a</p>' };
    expect(await cleaner.servedTexts(neverPublished)).toEqual({ draftText: '<p>a</p>', text: '' });
    expect(await cleaner.servedText({ htmlVersion: 0 })).toBe('');
  });
});
