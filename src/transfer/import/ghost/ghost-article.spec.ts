import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { ghostArticle } from './ghost-article.js';
import type { GhostTables } from './ghost-tables.js';

const TABLES: GhostTables = {
  postCount: 1,
  pageCount: 0,
  tagsOf: () => [],
  authorsOf: () => [],
  metaOf: (post) => post,
};

describe('a post of Ghost', () => {
  const hiddenBy = (codeinjection_head: string, html = '<p>a</p>'): unknown => {
    const post = { id: '1', html, status: 'published', codeinjection_head };
    const item = ghostArticle(post, TABLES, null);
    return 'article' in item ? item.article.hidden : item;
  };

  it.each([
    ['<meta name="robots" content="noindex">', 'it says "noindex"'],
    ['<meta name="a"><meta name="robots"\n content="nofollow, noindex">', 'it says "noindex"'],
    ['<meta <meta content=noindex', 'it says "noindex"'],
    ['<META NAME="robots" CONTENT="none">', 'it says "noindex"'],
    ['<meta name="robots" content="index"> noindex', null],
  ])('should be hidden or not by the code in its head: %s', (head, hidden) => {
    expect(hiddenBy(head)).toBe(hidden);
  });

  it.each([
    ['nonMember:false memberSegment:"status:paid"', 'a part of its text is only for members there'],
    ['nonMember:true memberSegment:""', null],
  ])('should be hidden if visitors do not see a part of it: %s', (who, hidden) => {
    const part = `<!--kg-gated-block:begin ${who} --><p>b</p><!--kg-gated-block:end-->`;
    expect(hiddenBy('', `<p>a</p>${part}`)).toBe(hidden);
  });

  it('should be read in linear time', () => {
    const many = '<meta '.repeat(50_000);
    expect(cpuTime(() => expect(hiddenBy(many)).toBeNull(), 1)).toBeLessThan(3_000);
  });
});
