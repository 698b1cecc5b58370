import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PictureAddresses } from '../../media/serving/picture-addresses.service.js';
import { Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { unavailableBodies } from '../../../../test/support/checks/unavailable-bodies.js';
import { BlogDiffService } from './blog-diff.service.js';
import type { DiffSide } from './diff-fields.js';
import { diffHtml } from './diff.worker.js';

const REFUSAL = {
  reason: 'overloaded',
  code: '10002',
  message: 'too many long texts are being compared: try again in a moment',
  headers: { 'retry-after': '1' },
};

function sideOf(draftText: string, title = 'Title'): DiffSide {
  return { title, description: 'Description', slug: 'title', tags: [], draftText };
}

/** Paragraphs, of which every third contains `mark`. Texts with different marks differ in these only. */
function longText(length: number, mark: string): string {
  const paragraph = (index: number) =>
    `<p>Paragraph ${index} of é 日本 &lt;b&gt; ${index % 3 === 0 ? mark : ''}.</p>`;
  let text = '';
  for (let index = 0; text.length < length; index += 1) text += paragraph(index);
  return text;
}

const ACCOUNT = new Types.ObjectId();

// html-cleaner.spec.ts proves what happens to texts whose thread dies.
describe('BlogDiffService', () => {
  let service: BlogDiffService;

  const threads = () => service['pool'].threads;
  const diff = (before: string, after: string) =>
    service.diff(sideOf(before), sideOf(after), ACCOUNT);

  beforeEach(() => {
    service = new BlogDiffService({ signedLinks: () => {} } as unknown as PictureAddresses);
    // Switches the log off: an error of the thread fails its test anyway.
    Logger.overrideLogger(false);
  });

  afterEach(async () => {
    await service.onApplicationShutdown();
    Logger.overrideLogger(true);
  });

  it('should compare fields, and short texts on the event loop', async () => {
    const [before, after] = ['x'.repeat(3_000), 'y'.repeat(3_000)];
    expect(await service.diff(sideOf(before), sideOf(after, 'New'), ACCOUNT)).toEqual({
      fields: [{ field: 'title', before: 'Title', after: 'New' }],
      text: diffHtml({ before, after }),
    });
    expect(threads()).toHaveLength(0);
  });

  it.each([
    ['one character too many', 'x'.repeat(3_000), 'y'.repeat(3_001)],
    ['articles', longText(20_000, 'old'), longText(20_000, 'new')],
    ['the most blocks', '<p>a</p>'.repeat(12_500), '<p>b</p>'.repeat(12_500)],
    [
      'the deepest tree',
      `${'<b>'.repeat(512)}x${'</b>'.repeat(512)}`.repeat(27),
      'y'.repeat(100_000),
    ],
  ])(
    'should compare long texts on the thread, with the result of diffHtml: %s',
    async (_, before, after) => {
      expect(await diff(before, after)).toEqual({ fields: [], text: diffHtml({ before, after }) });
      expect(threads()).toHaveLength(1);
    },
  );

  it('should refuse texts when 2,000,000 characters wait, and recover', async () => {
    const text = 'x'.repeat(100_000);
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => diff(text, text)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array<string>(10).fill('fulfilled'),
      ...Array<string>(2).fill('rejected'),
    ]);
    expect(unavailableBodies(outcomes)).toEqual([REFUSAL, REFUSAL]);
    expect((await diff(text, text)).text).toHaveLength(1);
  });
});
