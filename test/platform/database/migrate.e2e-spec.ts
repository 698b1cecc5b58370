import { beforeAll, describe, expect, it } from '@jest/globals';
import { HTML_VERSION } from '../../../src/blog/core/html/clean-html.js';
import { Types } from 'mongoose';
import type { MigrationReport } from '../../../src/platform/database/migrations/migration.js';
import { MigrationService } from '../../../src/platform/database/migrations/migration.service.js';
import { LIVE_FIELD_NAMES, withDerived } from '../../support/blog-fields.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import {
  createGoserveDatabase,
  goserveBlog,
  publishedGoserveBlog,
  without,
  type GoserveDatabase,
} from './migrate/goserve-database.js';
import { ROWS } from './migrate/rows.js';

/** More records than the migration reads in one batch. */
const OTHERS = Array.from({ length: 300 }, (_, index) =>
  index % 2 === 0 ? publishedGoserveBlog() : goserveBlog({ submitted: index % 3 === 0 }),
);

describe('migrating a goserve database', () => {
  let goserve: GoserveDatabase;
  let server: TestApp;
  let migrations: MigrationService;
  let dryReport: MigrationReport;
  let report: MigrationReport;

  const stored = (id: Types.ObjectId) => goserve.db.collection('blogs').findOne({ _id: id });
  const linesWith = (lines: readonly string[], words: string) =>
    lines.filter((line) => line.includes(words));

  beforeAll(async () => {
    goserve = await createGoserveDatabase();
    await goserve.db.collection('blogs').insertMany([...ROWS.map(({ blog }) => blog), ...OTHERS]);
    await goserve.db
      .collection('users')
      .insertMany([
        goserve.goserveUser('Ada@Example.org'),
        goserve.goserveUser('TWIN@example.org'),
        goserve.goserveUser('twin@example.org'),
        without(
          goserve.goserveUser('bare@example.org', { roles: null, name: null, profilePicUrl: null }),
          'status',
        ),
      ]);
    await goserve.db.collection('messages').insertOne({ type: 'hi', msg: 'there', status: true });
    await goserve.db.collection('keystores').insertOne({ pKey: 'a', sKey: 'b', status: true });
    server = await startApp({ uri: goserve.uri, env: { MIGRATE: 'off' } });
    migrations = server.app.get(MigrationService);
    const before = await goserve.snapshot();
    dryReport = await migrations.run({ dryRun: true });
    expect(await goserve.snapshot()).toEqual(before);
    report = await migrations.run({ dryRun: false });
  });

  it('should report in a dry run, which changes nothing, what a run then does', () => {
    expect(dryReport).toEqual(report);
    expect(report.changed.length).toBeGreaterThan(10);
  });

  it.each(ROWS)('should migrate "$label", and drop none of its fields and times', async (row) => {
    const { blog, expected, isLive } = row;
    const migrated = (await stored(blog._id))!;
    expect(migrated).toMatchObject({ ...expected, rev: 1, htmlVersion: HTML_VERSION });
    expect(Object.keys(migrated)).toEqual(expect.arrayContaining(Object.keys(blog)));
    const { updatedAt, createdAt, submitted, publishedAt, status } = migrated;
    expect({ updatedAt, createdAt }).toEqual({
      updatedAt: blog['updatedAt'],
      createdAt: blog['createdAt'],
    });
    // goserve stores its zero time for a missing time.
    const changedAt = (updatedAt as Date) > new Date(0) ? updatedAt : createdAt;
    const submittedAt = submitted ? changedAt : (publishedAt ?? undefined);
    expect(migrated['submittedAt']).toEqual(status === false ? undefined : submittedAt);
    expect(migrated).not.toHaveProperty('trashedAt');
    const present = withDerived(LIVE_FIELD_NAMES).filter((name) => name in migrated);
    expect(migrated['live']).toEqual(
      isLive
        ? {
            at: publishedAt,
            updatedAt: expect.any(Date),
            readingMinutes: migrated['readingMinutes'],
            // The description of each live record has these words; the 2 is the place: description.
            words: expect.arrayContaining(['2what', '2about']),
            ...Object.fromEntries(present.map((name) => [name, migrated[name]])),
          }
        : undefined,
    );
    if (isLive) expect(migrated['slugs']).toEqual([migrated['slug']]);
  });

  it('should derive the fields for lists and similar blogs', async () => {
    const blog = ROWS.find(({ label }) => label === 'published')!.blog;
    expect(await stored(blog._id)).toMatchObject({
      tags: ['GO', 'Mongo'],
      tagKeys: ['go', 'mongo'],
      titleWords: expect.arrayContaining(['goserve', 'number']) as unknown,
      descriptionWords: expect.arrayContaining(['blog', 'number']) as unknown,
    });
  });

  it('should migrate every blog of a large collection', async () => {
    const blogs = goserve.db.collection('blogs');
    const total = ROWS.length + OTHERS.length;
    expect(await blogs.countDocuments({ rev: 1, htmlVersion: HTML_VERSION })).toBe(total);
    expect(await blogs.countDocuments({ published: true, live: { $exists: false } })).toBe(0);
    expect(await blogs.countDocuments({ submitted: true, drafted: true })).toBe(0);
  });

  it('should count the changes by kind', () => {
    expect(report.changed).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\d+ blogs: now in the state "in review"$/),
        '1 blog: deleted, taken out of every list',
        '1 blog: missing status set to true',
        expect.stringMatching(/^\d+ blogs: HTML cleaned$/),
        expect.stringMatching(/^1\d\d blogs: public version made from the record$/),
        '1 user: address lower-cased',
        '1 user: missing roles became LEARNER',
        expect.stringMatching(/^index blogs\.slug_1 dropped: /),
        expect.stringMatching(/^index api_keys\.key_1 dropped: /),
      ]),
    );
  });

  it('should list what the operator has to resolve', () => {
    const id = (text: string) => String(ROWS.find((row) => row.label.includes(text))!.blog._id);
    const { unresolved } = report;
    const emptyTexts = linesWith(unresolved, 'public text is empty');
    expect(emptyTexts).toHaveLength(3);
    for (const text of ['without any text', 'nothing is left after', 'a draft in review']) {
      expect(linesWith(emptyTexts, `blog ${id(text)}: `)).toHaveLength(1);
    }
    expect(linesWith(unresolved, 'imgUrl')).toEqual([
      expect.stringContaining(`blog ${id('image address')}: `),
    ]);
    expect(linesWith(unresolved, 'no title')).toHaveLength(1);
    expect(linesWith(unresolved, 'no author')).toHaveLength(1);
    expect(linesWith(unresolved, 'twin@example.org')).toHaveLength(2);
    expect(unresolved).toHaveLength(8);
  });

  it('should migrate users, and keep email addresses that differ only in case', async () => {
    const users = goserve.db.collection('users');
    const emails = await users
      .find()
      .map((user): unknown => user['email'])
      .toArray();
    expect(emails.sort()).toEqual([
      'TWIN@example.org',
      'ada@example.org',
      'bare@example.org',
      'twin@example.org',
    ]);
    expect(await users.findOne({ email: 'bare@example.org' })).toMatchObject({
      name: 'Unknown',
      roles: [goserve.roles.LEARNER],
      status: true,
      epoch: 0,
      profilePicUrl: null,
    });
    expect(await users.countDocuments({ epoch: 0, verified: false })).toBe(4);
  });

  it('should replace the unique indexes of slugs and API keys, and keep the text index', async () => {
    const indexes = await goserve.db.collection('blogs').indexes();
    const unique = indexes.filter((index) => index.unique === true);
    expect(unique.map(({ key }) => key as unknown)).toEqual([{ slugs: 1 }]);
    expect(indexes.map(({ name }) => name)).toContain('title_text_description_text');
    const keyIndexes = await goserve.db.collection('api_keys').indexes();
    expect(keyIndexes.find(({ name }) => name === 'key_1')).toMatchObject({
      unique: true,
      partialFilterExpression: { key: { $gt: '' } },
    });
    expect(await migrations.pending()).toEqual([]);
  });

  it('should change no message and delete no keystore', async () => {
    const { messages, keystores } = await goserve.snapshot();
    expect(messages!.documents).toHaveLength(1);
    expect(keystores!.documents).toHaveLength(1);
    expect(await goserve.db.collection('messages').findOne()).toEqual({
      _id: expect.any(Types.ObjectId),
      type: 'hi',
      msg: 'there',
      status: true,
    });
  });

  it('should change nothing in a second run, to the byte', async () => {
    const before = await goserve.snapshot();
    const again = await migrations.run({ dryRun: false });
    expect(again).toEqual({ changed: [], unresolved: report.unresolved });
    expect(await goserve.snapshot()).toEqual(before);
  });
});
