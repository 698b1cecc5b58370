import { afterAll, describe, expect, it } from '@jest/globals';
import { ConversionThread } from './conversion-thread.js';
import type { MarkdownTask } from './conversion.worker.js';

const taskOf = (text: string): MarkdownTask => ({
  path: 'a.md',
  text,
  options: { baseUrl: null, now: new Date() },
});

describe('ConversionThread', () => {
  const thread = new ConversionThread();
  afterAll(() => thread.end());

  it.each([
    ['deep quotations', '> '.repeat(5_000), /nested deeper than 100 levels/],
    ['deep lists', `${'- '.repeat(5_000)}a`, /nested deeper than 100 levels/],
    [
      'a table of millions of cells',
      `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'|\n'.repeat(40_000)}`,
      /more than 200000 cells/,
    ],
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

  it('should end what takes more time than allowed, and convert the next text', async () => {
    const impatient = new ConversionThread(300);
    const slow = await impatient.run('readMarkdown', taskOf('- a\n'.repeat(250_000)));
    expect(slow).toEqual({ reason: 'it takes more than 0.3 s to convert: simplify it' });
    expect(await impatient.run('readMarkdown', taskOf('Text'))).toMatchObject({ title: 'A' });
    await impatient.end();
  });
});
