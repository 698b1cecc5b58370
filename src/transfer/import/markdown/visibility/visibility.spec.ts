import { describe, expect, it } from '@jest/globals';
import { PLAIN_DRAFT } from '../../articles/imported-article.js';
import { readFileName } from '../file-name.js';
import { readFrontMatter } from '../front-matter.js';
import { whyHidden } from './visibility.js';

const now = new Date('2026-01-01');
const whyOf = (fields: string, path = 'a.md', root = ''): string | null =>
  whyHidden(readFrontMatter(`---\n${fields}\n---\n`).fields, {
    hiddenByPath: readFileName(path, root).hidden,
    now,
  });

describe('whyHidden', () => {
  it.each([
    'draft: true',
    'draft: yes',
    'Draft: "True"',
    'published: false',
    'published: no',
    'status: draft',
    'state: draft',
    'params: {draft: true}',
  ])('should find an ordinary draft: %s', (fields) => {
    expect(whyOf(fields)).toBe(PLAIN_DRAFT);
  });

  it.each([
    'hidden: true',
    'hide: yes',
    'private: true',
    'unlisted: true',
    'headless: true',
    'noindex: true',
    'no_index: 1',
    'robotsNoIndex: true',
    'robots: noindex, follow',
    'robots: {index: false}',
    'seo: {noindex: true}',
    'seo: {robots: "noindex"}',
    'sitemap: false',
    'sitemap: {disable: true}',
    'sitemap_exclude: true',
    'index: false',
    'head: [[meta, {name: robots, content: noindex}]]',
    'meta: [{name: robots, content: none}]',
    'build: {list: never}',
    '_build: {render: never}',
    'build: {list: local}',
    'render: false',
    'visibility: private',
    'visibility: unlisted',
    'visibility: members',
    'access: paid',
    'access: [everyone, members]',
    'status: pending',
    'status: Future',
    'status: in progress',
    'status: 0',
    'published: hidden',
    'premium: true',
    'members_only: true',
    'wip: true',
    'public: false',
    'visible: off',
    'listed: false',
    'publish: false',
    'dg-publish: false',
    'permalink: false',
    'eleventyExcludeFromCollections: true',
    'extra: {hidden: true}',
    'expires: 2025-12-31',
    'expiryDate: 2020-01-01',
    'params: {expiryDate: 2020-01-01}',
    'date: 2020-01-01\npublishDate: 2027-01-01',
    'embargo: 2027-01-01',
    'archived: true',
    'isHidden: true',
    'seo_noindex: true',
    'indexable: false',
    'in_search_index: false',
    'hiddenFromHomePage: true',
    'hiddenInHomeList: true',
    'exclude_from_feed: true',
    'search_exclude: true',
    'feed: {excluded: true}',
    'publicationStatus: pending',
    'eleventyExcludeFromCollections: [posts]',
    'deleted_at: 2020-01-01',
  ])('should hide an article: %s', (fields) => {
    expect(whyOf(fields)).toEqual(expect.any(String));
    expect(whyOf(fields)).not.toBe(PLAIN_DRAFT);
  });

  it('should name no password', () => {
    expect(whyOf('password: s3cret')).toBe('"password" protects it');
    expect(whyOf('password: 12345')).toBe('"password" protects it');
  });

  it.each([
    '',
    'draft: false',
    'draft: no',
    'draft: ""',
    'published: true',
    'published: 2020-01-01',
    'status: published',
    'status: Live',
    'visibility: public',
    'access: everyone',
    'password: ""',
    'password: false',
    'hidden: false',
    'hide: [toc, navigation]',
    'robots: index, follow',
    'cover: {hidden: true}',
    'menu: {main: {hidden: true}}',
    'authors: [{name: A, private: true}]',
    'build: {list: always}',
    'sitemap: {priority: 0.5}',
    'expiryDate: 2030-01-01',
    'permalink: /a',
    'state: California',
    'type: post',
    'layout: post',
    'comments: false',
    'toc: false',
    'date: 2020-01-01',
    'search: false',
    'title: Draft',
    'status: featured',
    'hideFromMenu: true',
    'hide_title: true',
    'eleventyExcludeFromCollections: []',
    'publishedState: Ohio',
    'head: [[meta, {name: a, content: none}]]',
  ])('should hide no article: %s', (fields) => {
    expect(whyOf(fields)).toBeNull();
  });

  it.each([
    ['_drafts/a.md', '', PLAIN_DRAFT],
    ['posts/Drafts/2020/a.md', '', PLAIN_DRAFT],
    ['a.md', '_drafts', PLAIN_DRAFT],
    ['private/a.md', '', 'in the folder "private"'],
    ['_notes/a.md', '', 'in the folder "_notes"'],
    ['a.draft.md', '', 'its file is named as a draft'],
    ['_posts/2020-01-01-a.md', '', null],
    ['a.md', '_notes', null],
    ['posts/draft-laws.md', '', null],
  ])('should judge by the path: %s in "%s"', (path, root, reason) => {
    expect(whyOf('', path, root)).toBe(reason);
  });
});
