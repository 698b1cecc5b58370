import { afterAll, describe, expect, it } from '@jest/globals';
import { ConversionThread } from './conversion-thread.js';
import type { MarkdownTask } from './conversion.worker.js';

const taskOf = (text: string): MarkdownTask => ({
  path: 'a.md',
  text,
  options: { baseUrl: null, now: new Date() },
});

describe('ConversionThread', () => {
  const thread = new ConversionThread(4_000);
  afterAll(() => thread.end());

  it.each([
    ['more time than allowed', `${'a.'.repeat(100_000)}@`, /more than 4 s/],
    ['deep quotations', '> '.repeat(5_000), /nested deeper than 100 levels/],
    ['deep lists', `${'- '.repeat(5_000)}a`, /nested deeper than 100 levels/],
    ['a text that is too long', 'a '.repeat(600_000), /more than 1048576 characters/],
    ['front matter that contains itself', '---\ntags: &a [*a]\n---\n', /contains itself/],
  ])('should refuse %s, and convert the next text', async (_, text, reason) => {
    expect(await thread.run('readMarkdown', taskOf(text))).toEqual({
      reason: expect.stringMatching(reason),
    });
    expect(await thread.run('readMarkdown', taskOf('Text'))).toMatchObject({
      html: '<p>Text</p>\n',
    });
  });
});
