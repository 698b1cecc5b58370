import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import {
  RecordCheck,
  type CheckedRecord,
} from '../../src/transfer/import/pressroom/record-check.js';
import { HTML_VERSION } from '../../src/blog/core/html/clean-html.js';
import { textDigest } from '../../src/blog/core/markdown/markdown-digest.js';
import { startApp } from '../support/start-app.js';
import {
  exported,
  imported,
  onDatabase,
  openNewsroom,
  recordsOf,
  type Newsroom,
} from './fixture.js';

type Fields = Record<string, unknown>;

const SCRIPT = '<p>Hello</p><img src=x onerror=alert(1)><script>alert(1)</script>';
const CLEAN = '<p>Hello</p>';
const text = (length: number): string => 'x'.repeat(length);
const revision = (fields: object) => ({
  fields: {
    $binary: { base64: deflateSync(JSON.stringify(fields)).toString('base64'), subType: '00' },
  },
});

const PICTURE = {
  media: 'a'.repeat(24),
  name: 'ada',
  format: 'jpeg',
  width: 800,
  height: 600,
  thumbhash: '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
};
const FOCUSED = { ...PICTURE, focus: { x: 0.5, y: 0.25 } };
const RENAMED = { id: { $oid: 'b'.repeat(24) }, at: { $date: '2026-01-01T00:00:00Z' } };

describe('pressroom import pressroom of an export that someone else has written', () => {
  let newsroom: Newsroom;
  let records: ReturnType<typeof recordsOf>;
  let check: (
    collection: string,
    change: Fields | ((record: Fields) => Fields),
  ) => Promise<CheckedRecord>;

  beforeAll(async () => {
    newsroom = await openNewsroom();
    records = recordsOf(await exported(newsroom.server));
    const samples = new Map(records.map((line) => [line.collection, line.record]));
    const live = records.find(({ record }) => record['live'] !== undefined && !record['schedule']);
    samples.set('blogs', live?.record ?? {});
    check = (collection, change) =>
      onDatabase(newsroom.server, async ({ connection }) => {
        const sample = samples.get(collection) ?? {};
        const changed = typeof change === 'function' ? change(sample) : change;
        const { EJSON } = (await import('mongoose')).default.mongo.BSON;
        const line = { collection, record: { ...sample, ...changed } };
        return new RecordCheck(connection, []).check(
          EJSON.parse(JSON.stringify(line), { relaxed: true }),
        );
      });
  });

  const ofLive = (fields: Fields) => (record: Fields) => ({
    live: { ...(record['live'] as Fields), ...fields },
  });

  it.each<[string, string, Parameters<typeof check>[1], Fields]>([
    [
      'a draft',
      'blogs',
      { draftText: SCRIPT, htmlVersion: HTML_VERSION },
      { draftText: CLEAN, htmlVersion: HTML_VERSION },
    ],
    ['a live text', 'blogs', { text: SCRIPT, htmlVersion: HTML_VERSION }, { text: CLEAN }],
    [
      'Markdown with its text',
      'blogs',
      { draftText: SCRIPT, draftMarkdown: '# Hello', markdownDigest: textDigest(SCRIPT) },
      { draftText: CLEAN, draftMarkdown: '# Hello', markdownDigest: textDigest(CLEAN) },
    ],
    [
      'Markdown of another text',
      'blogs',
      { draftMarkdown: '# Hello', markdownDigest: textDigest('<p>Another</p>') },
      { draftMarkdown: undefined, markdownDigest: undefined },
    ],
    ['an unknown mark', 'blogs', { htmlVersion: 99 }, { htmlVersion: HTML_VERSION }],
    ['a title', 'blogs', { title: '  A title  ' }, { title: 'A title', titleWords: ['title'] }],
    ['tags', 'blogs', { tags: [' Go ', 'go'], tagKeys: ['x'] }, { tags: ['Go'], tagKeys: ['go'] }],
    [
      'live tags',
      'blogs',
      ofLive({ tags: ['Go'], tagKeys: ['secret'] }),
      { live: { tagKeys: ['go'] } },
    ],
    [
      'live words',
      'blogs',
      ofLive({ title: 'Tea', titleWords: ['secret'] }),
      { live: { titleWords: ['tea'] } },
    ],
    ['reading minutes', 'blogs', { readingMinutes: 999 }, { readingMinutes: 1 }],
    ['a picture', 'blogs', { imgUrl: 'javascript:alert(1)' }, { imgUrl: undefined }],
    [
      'a live picture',
      'blogs',
      ofLive({ imgUrl: 'data:text/html,x' }),
      { live: { imgUrl: undefined } },
    ],
    ['a due time', 'blogs', { dueAt: { $date: '2020-01-01T00:00:00Z' } }, { dueAt: undefined }],
    [
      'a picture of a person',
      'users',
      { profilePicUrl: 'javascript:1' },
      { profilePicUrl: undefined },
    ],
    ['the picture of a profile', 'users', { picture: FOCUSED }, { picture: FOCUSED }],
    ['an address', 'users', { email: ' ADA@example.org ' }, { email: 'ada@example.org' }],
    [
      'control characters of an address',
      'users',
      { email: '"a\u001b[1Ad\u200ba"@example.org' },
      { email: '"a[1ad\u200ba"@example.org' },
    ],
    [
      'the order of a URL',
      'webhooks',
      { url: 'https://example.org/\u202ea' },
      { url: 'https://example.org/a' },
    ],
    [
      'the order of the URL of a person',
      'users',
      { profilePicUrl: 'https://example.org/\u202ea' },
      { profilePicUrl: 'https://example.org/a' },
    ],
    [
      'a revision',
      'blog_revisions',
      {
        ...revision({ title: 'T'.repeat(3), draftText: SCRIPT }),
        htmlVersion: HTML_VERSION,
        title: 'x',
      },
      { title: 'TTT', htmlVersion: HTML_VERSION },
    ],
    ['a comment', 'blog_comments', { text: ' Why? ' }, { text: 'Why?' }],
  ])('should clean %s as the API does', async (_, collection, change, expected) => {
    const { record } = await check(collection, change);
    for (const [name, value] of Object.entries(expected)) {
      if (typeof value === 'object' && !Array.isArray(value)) {
        expect({ ...(value as object), ...(record[name] as object) }).toMatchObject(
          value as object,
        );
      } else expect(record[name]).toEqual(value);
    }
    expect(JSON.stringify(record)).not.toMatch(/alert|javascript:|data:text/);
  });

  it.each<[string, Parameters<typeof check>[1], RegExp]>([
    ['blogs', { title: text(501) }, /title must be/],
    ['blogs', { title: 'a\0b' }, /title/],
    ['blogs', { title: '\ud800' }, /title/],
    ['blogs', { description: text(2_001) }, /description must be/],
    ['blogs', { draftText: text(100_001) }, /more than 100000 characters/],
    ['blogs', { text: text(2_000_000) }, /more than 100000 characters/],
    ['blogs', { tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, /tags must have at most/],
    ['blogs', { tags: [text(51)] }, /tags.0 must be/],
    ['blogs', { slug: '../admin' }, /slug/],
    ['blogs', { slug: '..' }, /slug/],
    ['blogs', { slugs: ['a b'] }, /slugs/],
    ['blogs', { formerSlugs: ['a/b'] }, /formerSlugs/],
    [
      'blogs',
      { formerSlugs: Array.from({ length: 21 }, (_, at) => `s${at}`) },
      /formerSlugs must have at most/,
    ],
    ['blogs', ofLive({ slug: 'a"b' }), /slug/],
    ['blogs', ofLive({ title: text(501) }), /title must be/],
    ['blogs', { score: { $numberDouble: 'Infinity' } }, /score/],
    ['blogs', { rev: -1 }, /rev/],
    ['blogs', { rev: 1.5 }, /rev/],
    ['blogs', { publishedAt: { $date: { $numberLong: '999999999999999' } } }, /publishedAt/],
    ['blogs', { author: 'me' }, /author/],
    ['blogs', { submissionNote: text(2_001) }, /note must be/],
    ['blogs', { returned: { note: '', by: new Types.ObjectId(), at: new Date() } }, /note/],
    [
      'blogs',
      { events: [{ move: 'hack', at: new Date(), to: 'live', revBefore: 0, rev: 1 }] },
      /move/,
    ],
    [
      'blogs',
      { events: [{ move: 'edit', at: new Date(), to: 'root', revBefore: 0, rev: 1 }] },
      /to/,
    ],
    ['blogs', { removed: true }, /a removed blog has no field/],
    ['blogs', ofLive({ isRoot: true }), /isRoot/],
    [
      'blog_revisions',
      { fields: { $binary: { base64: 'AAAA', subType: '00' } } },
      /cannot be read/,
    ],
    ['blog_revisions', revision({ title: text(501) }), /title must be/],
    ['blog_revisions', revision({ isAdmin: true }), /no field "isAdmin"/],
    ['blog_revisions', revision({ draftText: { $gt: '' } }), /text/],
    [
      'blog_revisions',
      {
        fields: {
          $binary: {
            base64: deflateSync(Buffer.alloc(20_000_000, 32)).toString('base64'),
            subType: '00',
          },
        },
      },
      /cannot be read/,
    ],
    ['users', { name: text(201) }, /name must be/],
    ['users', { email: 'nobody' }, /email must be/],
    ['users', { roles: ['ADMIN'] }, /roles/],
    ['users', { picture: { ...PICTURE, media: '../x' } }, /picture.media is not/],
    ['users', { picture: { ...PICTURE, name: '"><script>' } }, /picture.name is not/],
    ['users', { picture: { ...PICTURE, focus: { x: 2, y: 0 } } }, /picture.focus is not/],
    ['users', { renamed: { ...RENAMED, pictures: ['x'] } }, /no field "renamed.pictures"/],
    ['roles', { code: 'ROOT' }, /code is no role/],
    ['messages', { msg: text(2_001) }, /msg must be/],
    ['blog_comments', { text: text(2_001) }, /text must be/],
    ['blog_comments', { quote: text(301) }, /quote must be/],
    ['webhooks', { url: 'file:///etc/passwd' }, /url must be/],
    ['webhooks', { url: 'https://a:b@example.org' }, /url must have no name/],
    ['webhooks', { events: ['*', 'root'] }, /events must be/],
    ['webhooks', { secret: { kid: 'x' } }, /an export holds no field "secret"/],
    ['events', { type: 'blog.hacked' }, /type/],
    ['events', (record) => ({ data: { ...(record['data'] as Fields), slug: '../x' } }), /no slug/],
    [
      'events',
      (record) => ({ data: { ...(record['data'] as Fields), cacheTags: ['a,b'] } }),
      /cache tag/,
    ],
    ['events', (record) => ({ data: { ...(record['data'] as Fields), _id: 'x' } }), /data._id/],
    ['blog_events', { move: 'hack' }, /move/],
    ['blog_events', { at: 'soon' }, /at/],
    ['api_keys', { key: 'mine', status: true }, /"api_keys" is no collection of an export/],
    ['migrations', { appliedAt: new Date() }, /"migrations" is no collection/],
    ['constructor', {}, /"constructor" is no collection/],
  ])('should refuse in %s what its message names', async (collection, change, message) => {
    await expect(check(collection, change)).rejects.toThrow(message);
  });

  it('should serve only what it has cleaned, and report it', async () => {
    const target = await startApp({ env: { SITE_URL: 'https://news.example' } });
    const lines = records.map((line) => ({
      ...line,
      record:
        line.collection === 'blogs' && line.record['live']
          ? { ...line.record, text: SCRIPT, htmlVersion: HTML_VERSION }
          : line.record,
    }));
    const header = (await exported(newsroom.server)).split('\n')[0];
    const file = [header, ...lines.map((line) => JSON.stringify(line)), ''].join('\n');
    const { changed } = await imported(newsroom, target, file);
    expect(changed).toEqual([expect.stringMatching(/^blogs: text cleaned \(\d\)$/)]);
    target.invalidateCaches();
    for (const path of [
      '/blogs/latest?text=true',
      '/feeds/atom.xml',
      `/blog/id/${newsroom.blogs.live._id}`,
    ]) {
      const answer = await target.client.get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(JSON.stringify(answer)).not.toContain('alert(1)');
    }
    const twice = [header, ...lines.slice(0, 9), lines[8]].map((line) =>
      typeof line === 'string' ? line : JSON.stringify(line),
    );
    await expect(imported(newsroom, target, `${twice.join('\n')}\n`)).rejects.toThrow(
      /Line 11 cannot be imported: another record of \w+ has its _id/,
    );
  });
});
