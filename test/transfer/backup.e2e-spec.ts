import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import {
  checkBackupFile,
  readBackupFile,
  writeBackup,
  type BackupOptions,
} from '../../src/transfer/backup/backup-file.js';
import { restoreBackup, type RestoreReport } from '../../src/transfer/backup/restore-backup.js';
import { isBackedUp, isRestored } from '../../src/transfer/collection-rules.js';
import { InputFile } from '../../src/transfer/input-file.js';
import { blogIn, signIn } from '../support/factories.js';
import { collectionNames, connect, freshDatabaseUri } from '../support/mongo/mongo.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { onDatabase, openNewsroom, type Newsroom } from './fixture.js';

const noop = (): void => undefined;

describe('pressroom backup and restore', () => {
  let newsroom: Newsroom;
  let file: string;

  const backUp = (path: string, options: Partial<BackupOptions> = {}): Promise<void> =>
    onDatabase(newsroom.server, (database) =>
      writeBackup(database, path, {
        isStopped: false,
        files: {},
        onBegin: noop,
        onRecords: noop,
        ...options,
      }),
    );
  const restore = (uri: string, path: string, isDropped = false): Promise<RestoreReport> =>
    onDatabase({ env: newsroom.server.env, uri }, (database) =>
      InputFile.use(path, (input) =>
        restoreBackup(database, readBackupFile(input), { isDropped, onRecords: noop }),
      ),
    );
  const check = (path: string) => InputFile.use(path, checkBackupFile);
  const contents = async (db: mongo.Db): Promise<unknown> => {
    const names = (await collectionNames(db)).filter(isRestored).sort();
    return Promise.all(
      names.map(async (name) => ({
        name,
        // The raw bytes distinguish the types of numbers. The migration that cleans the texts again counts as a write.
        records: await db
          .collection(name)
          .find(
            {},
            { raw: true, projection: { htmlVersion: 0, ...(name === 'blogs' && { rev: 0 }) } },
          )
          .sort({ _id: 1 })
          .toArray(),
        indexes: (await db.collection(name).indexes()).sort((one, other) =>
          String(one.name) < String(other.name) ? -1 : 1,
        ),
        options: await db.collection(name).options(),
      })),
    );
  };

  beforeAll(async () => {
    newsroom = await openNewsroom();
    const { db } = newsroom.server;
    // An operator has added a capped collection, and numbers of every type to a record.
    await db.createCollection('own_notes', { capped: true, size: 4_096 });
    await db.collection('own_notes').insertOne({ a: 1 });
    const { Double, Long } = mongo;
    const numbers = { a: new Double(1), b: Long.fromNumber(1), c: 1, d: new Date(0) };
    await db.collection('messages').updateOne({}, { $set: { numbers } });
    file = join(newsroom.folder, 'a.backup');
    await backUp(file);
  });

  it('should write all records to a file that only its owner may read', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { records } = await check(file);
    const { db } = newsroom.server;
    const names = (await collectionNames(db)).filter(isBackedUp);
    const counts = await Promise.all(names.map((name) => db.collection(name).countDocuments()));
    expect(records).toBe(counts.reduce((sum, count) => sum + count));
  });

  describe('into an empty database', () => {
    let restored: TestApp;

    beforeAll(async () => {
      const uri = freshDatabaseUri();
      const { skipped, unresolved } = await restore(uri, file);
      expect({ skipped, unresolved }).toEqual({ skipped: { own_notes: 1 }, unresolved: [] });
      const db = (await connect(uri)).db();
      expect(await contents(db)).toEqual(await contents(newsroom.server.db));
      restored = await startApp({ uri, env: { MIGRATE: 'off' } });
    });

    it.each(['/blogs/latest', '/tags'])('should serve the same at %s', async (path) => {
      expect((await restored.client.get('/health/ready')).status).toBe(200);
      const { body } = await newsroom.server.client.get(path);
      expect((await restored.client.get(path)).body).toEqual(body);
    });

    it('should find articles, and count the tags of new ones', async () => {
      const { live } = newsroom.blogs;
      const word = live.body.title.split(' ').at(-1) ?? '';
      const found = await restored.client.get(`/blogs/search?q=${encodeURIComponent(word)}`);
      expect(JSON.stringify(found.body.data)).toContain(live._id);
      const author = await signIn(restored.client, newsroom.people.author.email);
      const editor = await signIn(restored.client, newsroom.people.editor.email);
      await blogIn('live', author, editor, { tags: ['restored'] });
      const { body } = await restored.client.get('/tags');
      expect(JSON.stringify(body.data)).toContain('restored');
    });
  });

  it('should refuse a database with records, unless --drop replaces them', async () => {
    const target = await startApp();
    const { client, db, uri } = target;
    await client.post('/contact', { type: 'kept', msg: 'until dropped' });
    await target.close();
    // Without its heartbeats, the server counts as stopped.
    await db.collection('beats').deleteMany();
    const before = await contents(db);
    await expect(restore(uri, file)).rejects.toThrow(
      /^The database is not empty \(api_keys, messages, roles\): restore into an empty one, or add --drop to replace what is there\.$/,
    );
    expect(await contents(db)).toEqual(before);
    await restore(uri, file, true);
    expect(await db.collection('messages').findOne({ type: 'kept' })).toBeNull();
    expect(await contents(db)).toEqual(await contents(newsroom.server.db));
  });

  it('should refuse a database that a server uses', async () => {
    const uri = freshDatabaseUri();
    const db = (await connect(uri)).db();
    await db.collection('beats').insertOne({ at: new Date() });
    await expect(restore(uri, file, true)).rejects.toThrow(
      'A server has used this database in the last ten seconds: stop the servers to restore.',
    );
  });

  it('should back up a snapshot, whatever changes meanwhile', async () => {
    const { author, editor } = newsroom.people;
    const path = join(newsroom.folder, 'meanwhile.backup');
    const count = await newsroom.server.db.collection('messages').countDocuments();
    await newsroom.server.db
      .collection('messages')
      .insertMany(Array.from({ length: 300 }, () => ({ type: 'many', msg: 'x' })));
    let blog: Promise<unknown> | undefined;
    await backUp(path, {
      onRecords: () => {
        blog ??= blogIn('draft', author, editor);
      },
    });
    await blog;
    await newsroom.server.db.collection('messages').deleteMany({ type: 'many' });
    const { records } = await check(path);
    const { records: earlier } = await check(file);
    expect(records).toBe(earlier + 300);
    expect(await newsroom.server.db.collection('messages').countDocuments()).toBe(count);
  });

  describe('of a damaged file', () => {
    const REFUSED = 'The file is no backup, is not whole, or was changed: use another one.';

    it.each([
      ['a file of random bytes', () => randomBytes(1_000)],
      ['an empty file', () => Buffer.alloc(0)],
      ['a file without its last byte', (whole: Buffer) => whole.subarray(0, -1)],
      [
        'a file with a changed byte',
        (whole: Buffer) => {
          const at = Math.floor(whole.length * 0.7);
          return Buffer.concat([
            whole.subarray(0, at),
            Buffer.from([(whole[at] ?? 0) ^ 1]),
            whole.subarray(at + 1),
          ]);
        },
      ],
      ['two backups in one file', (whole: Buffer) => Buffer.concat([whole, whole])],
    ])('should refuse %s', async (_, damage) => {
      const damaged = join(newsroom.folder, 'damaged.backup');
      await writeFile(damaged, damage(await readFile(file)));
      await expect(check(damaged)).rejects.toThrow(REFUSED);
      await rm(damaged);
    });

    it('should report a missing file', async () => {
      await expect(check(join(newsroom.folder, 'none'))).rejects.toThrow(
        /none cannot be used \(ENOENT/,
      );
    });
  });
});
