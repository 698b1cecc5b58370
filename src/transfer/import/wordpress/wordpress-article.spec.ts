import { describe, expect, it } from '@jest/globals';
import type { ImportedArticle } from '../articles/imported-article.js';
import { wordpressArticle } from './wordpress-article.js';
import type { WxrItem } from './wxr-records.js';

const SITE = {
  baseUrl: null,
  urlInFile: 'https://a.example',
  authors: new Map(),
  attachments: new Map(),
  uploads: new Map(),
  blocks: new Map(),
};

function articleOf({ fields = {}, meta = {} }: Partial<WxrItem>): ImportedArticle {
  const all = { 'wp:status': 'publish', 'content:encoded': 'Text', ...fields };
  const item = wordpressArticle({ fields: all, meta, terms: [], comments: 0 }, SITE);
  if (!('article' in item)) throw new Error('It is no article.');
  return item.article;
}

describe('an item of WordPress', () => {
  it.each([
    ['_yoast_wpseo_meta-robots-noindex', '1'],
    ['_wds_meta-robots-noindex', '1'],
    ['_sq_noindex', 'on'],
    ['rank_math_robots', 'a:1:{i:0;s:7:"noindex";}'],
    ['slim_seo', 'a:1:{s:7:"noindex";i:1;}'],
    ['_exclude_from_search', '1'],
    ['ppw_post_password', 'x'],
    ['_post_visibility', 'private'],
    ['_seopress_robots_index', 'yes'],
    ['_wpmem_block', '1'],
    ['um_content_restriction', 'a:1:{s:14:"_um_accessible";i:2;}'],
  ])('should be hidden by the field of a plugin: %s = %s', (key, value) => {
    expect(articleOf({ meta: { [key]: [value] } }).hidden).toBe(`its field "${key}" hides it`);
  });

  it.each([
    ['_yoast_wpseo_meta-robots-noindex', '2'],
    ['_yoast_wpseo_meta-robots-adv', 'noimageindex'],
    ['rank_math_robots', 'a:1:{i:0;s:5:"index";}'],
    ['slim_seo', 'a:1:{s:7:"noindex";i:0;}'],
    ['_wp_page_template', 'default'],
  ])('should not be hidden by %s = %s', (key, value) => {
    expect(articleOf({ meta: { [key]: [value] } }).hidden).toBeNull();
  });

  it.each<[WxrItem['fields'], string]>([
    [{ 'wp:post_id': '7', guid: 'https://a.example/?p=8' }, '7'],
    [{ guid: 'https://a.example/?p=8', link: 'https://a.example/b/' }, '8'],
    [{ link: 'https://a.example/b/' }, 'https://a.example/b/'],
  ])('should be recognised in a later run: %j', (fields, id) => {
    expect(articleOf({ fields }).identity).toBe(`wordpress https://a.example ${id}`);
  });
});
