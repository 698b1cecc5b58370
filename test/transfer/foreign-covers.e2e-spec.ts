import { deflateSync, inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { mongo } from 'mongoose';
import { RecordCheck } from '../../src/transfer/import/pressroom/record-check.js';
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

const ELSEWHERE = 'https://example.org/a.png';

describe('pressroom import pressroom of covers that someone else has written', () => {
  let newsroom: Newsroom;
  let text: string;
  let blog: Fields & { readonly cover: Fields; readonly live: Fields };
  let revision: Fields;

  beforeAll(async () => {
    newsroom = await openNewsroom();
    text = await exported(newsroom.server);
    const records = recordsOf(text);
    const covered = records.find(
      ({ collection, record }) => collection === 'blogs' && record['cover'],
    );
    blog = covered?.record as typeof blog;
    revision = records.find(({ collection }) => collection === 'blog_revisions')?.record as Fields;
  });

  const check = async (collection: string, record: Fields) =>
    onDatabase(newsroom.server, async ({ connection }) => {
      const { EJSON } = (await import('mongoose')).default.mongo.BSON;
      const line: unknown = EJSON.parse(JSON.stringify({ collection, record }), { relaxed: true });
      return new RecordCheck(connection, []).check(line);
    });
  const ofRevision = (fields: object): Promise<{ record: mongo.Document; changes: unknown }> => {
    const base64 = deflateSync(JSON.stringify(fields)).toString('base64');
    return check('blog_revisions', { ...revision, fields: { $binary: { base64, subType: '00' } } });
  };
  const fieldsOf = ({ record }: { record: mongo.Document }): Fields => {
    const fields = record['fields'] as Buffer | mongo.Binary;
    const bytes = fields instanceof Uint8Array ? fields : fields.buffer;
    return JSON.parse(inflateSync(bytes).toString()) as Fields;
  };

  it('should be kept as they are, by records and by what readers see', async () => {
    expect(blog.cover).toMatchObject({ alt: 'A cover', focus: { x: 0.5, y: 0.25 } });
    expect(blog.live['cover']).toEqual(blog.cover);
    const { record, changes } = await check('blogs', blog);
    expect([record['cover'], record['live'].cover, changes]).toEqual([blog.cover, blog.cover, []]);
    const revised = await ofRevision({ title: 'A', cover: blog.cover });
    expect([fieldsOf(revised)['cover'], revised.changes]).toEqual([blog.cover, []]);
    const target = await startApp();
    const { changed, unresolved } = await imported(newsroom, target, text);
    expect(changed).toEqual([]);
    expect(unresolved).toEqual([
      expect.stringMatching(/^1 pictures that articles or profiles show are missing/),
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['a text', 'x', /cover/],
    ['a list', [[]], /cover/],
    ['another id', { media: '../etc' }, /cover.media must be 24 hexadecimal/],
    ['an operator', { media: { $gt: '' } }, /cover.media/],
    ['a path as its name', { name: '../a' }, /cover.name is not what a picture has/],
    ['a name with quotes', { name: 'a" onerror="b' }, /cover.name is not what a picture has/],
    ['a format that runs', { format: 'svg' }, /cover.format is not what a picture has/],
    ['an inherited format', { format: 'constructor' }, /cover.format is not what a picture has/],
    ['no width', { width: 0 }, /cover.width is not what a picture has/],
    ['a broken height', { height: 1.5 }, /cover.height/],
    ['a text as width', { width: 'wide' }, /cover.width/],
    ['a blurred form with quotes', { thumbhash: '"><b' }, /cover.thumbhash is not what a picture/],
    ['a long blurred form', { thumbhash: 'a'.repeat(99) }, /cover.thumbhash is not what a picture/],
    ['a focus outside', { focus: { x: 2, y: 0 } }, /cover.focus must be an object/],
    ['a negative focus', { focus: { x: -0.5, y: 0 } }, /cover.focus must be an object/],
    ['a long alt', { alt: 'x'.repeat(1_001) }, /cover.alt must be 0 to 1000 characters/],
    ['an alt that shows nothing', { alt: '\u200b' }, /cover.alt must have visible characters/],
  ])('should refuse %s, in every version', async (_, change, message) => {
    const isPart = typeof change === 'object' && !Array.isArray(change);
    const cover = isPart ? { ...blog.cover, ...change } : change;
    await expect(check('blogs', { ...blog, cover })).rejects.toThrow(message);
    const live = { ...blog.live, cover };
    await expect(check('blogs', { ...blog, live })).rejects.toThrow(message);
    await expect(ofRevision({ title: 'A', cover })).rejects.toThrow(message);
  });

  it('should be cleaned as the API does, and reported', async () => {
    const media = String(blog.cover['media']);
    const cover = { ...blog.cover, media: media.toUpperCase(), alt: ' A\u001b\u202e\n cover ' };
    const dirty = { ...blog, imgUrl: ELSEWHERE, cover, live: { ...blog.live, cover } };
    const { record, changes } = await check('blogs', dirty);
    expect([record['cover'], record['live'].cover]).toEqual([blog.cover, blog.cover]);
    expect(record).not.toHaveProperty('imgUrl');
    const reports = [
      'imgUrl left out, it has a cover',
      'cover.alt: characters removed that control the output',
    ];
    expect(changes).toEqual(reports);
    const revised = await ofRevision({
      title: 'A',
      imgUrl: ELSEWHERE,
      cover: { ...cover, isRoot: true },
    });
    expect(fieldsOf(revised)).toEqual({ title: 'A', cover: blog.cover });
    expect(revised.changes).toEqual(reports);
  });

  it.each([null, undefined])('should be none that is %s', async (cover) => {
    const { record } = await check('blogs', { ...blog, cover, live: { ...blog.live, cover } });
    expect(record).not.toHaveProperty('cover');
    expect(record['live']).not.toHaveProperty('cover');
    expect(fieldsOf(await ofRevision({ title: 'A', cover }))).toEqual({ title: 'A' });
  });
});
