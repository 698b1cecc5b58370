import { execFile } from 'node:child_process';
import { foldChanges } from '../blog/core/fixture.js';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { checkBackupFile, readBackupFile } from '../../src/transfer/backup/backup-file.js';
import { FORMAT, FORMAT_VERSION } from '../../src/transfer/backup/backup-format.js';
import {
  placeSecrets,
  usableSecrets,
  withMissingKeys,
} from '../../src/transfer/backup/data-folder-secrets.js';
import type { Env } from '../../src/platform/config/env.js';
import { restoreBackup, type RestoreReport } from '../../src/transfer/backup/restore-backup.js';
import { InputFile } from '../../src/transfer/input-file.js';
import { blogIn, person } from '../support/factories.js';
import { connect, freshDatabaseUri } from '../support/mongo/mongo.js';
import { temporaryFolder } from '../support/process.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { onDatabase } from './fixture.js';

const { serialize, ObjectId } = mongo.BSON;
const REFUSED = 'The file is no backup, is not whole, or was changed: use another one.';
const SCRIPT = '<p>Hello</p><script>alert(1)</script>';

interface ForeignCollection {
  readonly name: string;
  readonly options?: mongo.Document;
  readonly indexes?: readonly mongo.Document[];
  readonly records: readonly (mongo.Document | Uint8Array)[];
}

/** A backup as someone else could write it, with a valid checksum. */
function backupOf(
  collections: readonly ForeignCollection[],
  { header = {}, footer = {} }: { header?: mongo.Document; footer?: mongo.Document } = {},
): Buffer {
  const stored = collections.map(({ name, options = {}, indexes = [] }) => ({
    name,
    options,
    indexes,
  }));
  const head = { format: FORMAT, formatVersion: FORMAT_VERSION, createdAt: new Date(0) };
  const content = Buffer.concat([
    serialize({ ...head, collections: stored, files: {}, ...header }),
    ...collections.flatMap(({ records }) => [
      ...records.map((record) => (record instanceof Uint8Array ? record : serialize(record))),
      Buffer.alloc(4),
    ]),
  ]);
  const records = collections.reduce((sum, each) => sum + each.records.length, 0);
  const sha256 = new mongo.Binary(createHash('sha256').update(content).digest());
  return gzipSync(Buffer.concat([content, serialize({ records, sha256, ...footer })]));
}

describe('pressroom restore of a backup that someone else has written', () => {
  let folder: string;
  let source: TestApp;

  const restore = async (
    uri: string,
    backup: Buffer,
    isDropped = false,
  ): Promise<RestoreReport> => {
    const path = join(folder, 'foreign.backup');
    await writeFile(path, backup);
    return onDatabase({ env: source.env, uri }, (database) =>
      InputFile.use(path, async (file) => {
        await checkBackupFile(file);
        return restoreBackup(database, readBackupFile(file), {
          isDropped,
          onRecords: () => undefined,
        });
      }),
    );
  };
  const recordsOf = (name: string) => source.db.collection(name).find().toArray();

  beforeAll(async () => {
    folder = await temporaryFolder();
    source = await startApp();
  });

  describe('with texts, options and indexes of its own', () => {
    let restored: TestApp;
    let blog: { readonly _id: string };
    let report: RestoreReport;

    beforeAll(async () => {
      const author = await person(source, 'AUTHOR');
      blog = await blogIn('live with draft', author, await person(source, 'EDITOR'));
      const blogs = (await recordsOf('blogs')).map((record) => ({
        ...record,
        text: SCRIPT,
        draftText: SCRIPT,
      }));
      const revisions = (await recordsOf('blog_revisions')).map((record) => ({
        ...record,
        fields: deflateSync(JSON.stringify({ title: 'T', draftText: SCRIPT })),
      }));
      const uri = freshDatabaseUri();
      report = await restore(
        uri,
        backupOf([
          {
            name: 'roles',
            records: await recordsOf('roles'),
            options: { capped: true, size: 4_096, max: 1 },
          },
          {
            name: 'users',
            records: await recordsOf('users'),
            options: { validator: { none: { $exists: true } }, collation: { locale: 'de' } },
            indexes: [
              { key: { createdAt: 1 }, name: 'createdAt_1', expireAfterSeconds: 0 },
              { key: { status: 1 }, name: 'status_1', unique: true },
            ],
          },
          { name: 'api_keys', records: await recordsOf('api_keys') },
          { name: 'blogs', records: blogs, options: { viewOn: 'users', pipeline: [] } },
          { name: 'blog_revisions', records: revisions },
          { name: 'migrations', records: await recordsOf('migrations') },
          { name: 'beats', records: [{ at: new Date('2999-01-01') }] },
          { name: 'system.js', records: [{ _id: 'f' }] },
          { name: 'own $notes', records: [{ _id: 1 }, { _id: 2 }] },
          { name: 'toString', records: [{ _id: 1 }] },
        ]),
      );
      restored = await startApp({ uri, env: { MIGRATE: 'off' } });
    });

    it('should leave out and report collections that are not of Pressroom', async () => {
      expect(report.skipped).toEqual({ 'system.js': 1, 'own $notes': 2, toString: 1 });
      expect(await restored.db.collection('beats').findOne({ at: { $gt: new Date() } })).toBeNull();
    });

    it('should take options and indexes from the schemas', async () => {
      const shapeOf = async ({ db }: TestApp): Promise<unknown> => {
        const collections = await db.listCollections({ type: 'collection' }).toArray();
        const names = collections
          .map(({ name }) => name)
          // The first folding of counts creates its collection.
          .filter((name) => name !== 'system.profile' && name !== 'foldings');
        return Promise.all(
          names.sort().map(async (name) => ({
            name,
            options: await db.collection(name).options(),
            indexes: (await db.collection(name).indexes())
              .map(({ key }) => JSON.stringify(key))
              .sort(),
          })),
        );
      };
      await foldChanges(source);
      expect(await shapeOf(restored)).toEqual(await shapeOf(source));
      const ttl = (await restored.db.collection('users').indexes()).map(
        (each) => each['expireAfterSeconds'],
      );
      expect(ttl.filter((each) => each !== undefined)).toEqual([]);
      expect(await restored.db.collection('users').countDocuments()).toBe(
        await source.db.collection('users').countDocuments(),
      );
    });

    it('should store and serve clean texts, whatever the records say', async () => {
      const { body } = await restored.client.get<{ text: string }>(`/blog/id/${blog._id}`);
      expect(body.data.text).toBe('<p>Hello</p>');
      const stored = await restored.db.collection('blogs').findOne();
      expect(stored).toMatchObject({ text: '<p>Hello</p>', draftText: '<p>Hello</p>' });
      const editor = await person(restored, 'EDITOR');
      const path = `/blog/editor/revisions/id/${blog._id}`;
      const { data } = (await editor.client.get<{ rev: number }[]>(path)).body;
      const revision = await editor.client.get(`${path}/${data[0]?.rev}`);
      expect(JSON.stringify(revision.body)).toContain('Hello');
      expect(JSON.stringify(revision.body)).not.toContain('alert');
    });
  });

  const deep = (levels: number): mongo.Document =>
    Array.from({ length: levels }).reduce<mongo.Document>((value) => ({ a: value }), {});
  const id = new ObjectId();

  it.each<[string, mongo.Document[], mongo.Document[]?]>([
    [
      'an address twice',
      ['a', 'b'].map(() => ({ _id: new ObjectId(), email: 'twin@example.org' })),
      [{ key: { email: 1 }, name: 'email_1', unique: true }],
    ],
    ['an id of another type', [{ _id: 'x' }]],
    ['an id twice', [{ _id: id }, { _id: id }]],
    ['a record that is nested too deep', [{ _id: id, a: deep(500) }]],
    ['an id that is a list', [{ _id: [1] }]],
    ['a record of more than 16 MB', [{ _id: id, a: 'x'.repeat(17_000_000) }]],
  ])('should keep the present records when it has %s', async (_, records, indexes = []) => {
    const target = await startApp();
    await target.client.post('/contact', { type: 'kept', msg: 'still here' });
    await target.close();
    await target.db.collection('beats').deleteMany();
    const roles = { name: 'roles', records: [{ _id: new ObjectId(), code: 'ADMIN' }] };
    const backup = backupOf([roles, { name: 'users', records, indexes }]);
    await expect(restore(target.uri, backup, true)).rejects.toThrow(/nothing was changed/);
    const db = (await connect(target.uri)).db();
    expect(await db.collection('messages').countDocuments({ type: 'kept' })).toBe(1);
    expect(await db.collection('roles').countDocuments()).toBe(4);
    const names = (await db.listCollections().toArray()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('restoring'))).toEqual([]);
  });

  const users = { name: 'users', records: [] };
  it.each<[string, Buffer]>([
    ['no collections', backupOf([], { header: { collections: null } })],
    [
      'a collection without a name',
      backupOf([], { header: { collections: [{ options: {}, indexes: [] }] } }),
    ],
    ['an index that is none', backupOf([{ ...users, indexes: [null as never] }])],
    ['a collection twice', backupOf([users, users])],
    ['no time', backupOf([], { header: { createdAt: 'now' } })],
    ['a file that is no text', backupOf([], { header: { files: { 'jwt-private-key.pem': 1 } } })],
    [
      'a broken record',
      backupOf([{ name: 'users', records: [Buffer.from([9, 0, 0, 0, 77, 77, 77, 77, 0])] }]),
    ],
    ['a checksum that is no checksum', backupOf([users], { footer: { sha256: 'x' } })],
    ['another number of records', backupOf([users], { footer: { records: 1 } })],
  ])('should refuse a backup with %s', async (_, backup) => {
    const uri = freshDatabaseUri();
    await expect(restore(uri, backup)).rejects.toThrow(REFUSED);
    expect(await (await connect(uri)).db().listCollections().toArray()).toEqual([]);
  });

  it('should keep the secrets of the folder when those of the backup are unusable', async () => {
    const pem = (bits: number) =>
      generateKeyPairSync('rsa', { modulusLength: bits })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString();
    const good = pem(2048);
    const DATA_DIR = await temporaryFolder();
    await writeFile(join(DATA_DIR, 'jwt-private-key.pem'), good);
    for (const junk of [
      'junk',
      pem(1024),
      good.slice(0, 900),
      `${good}${good.replace('MII', 'ABC')}`,
      '',
    ]) {
      const files = {
        'jwt-private-key.pem': junk,
        'credentials.json': '{"apiKey":1}',
        '../x': 'y',
      };
      const { secrets, unresolved } = usableSecrets(files);
      expect(secrets).toEqual({});
      expect(unresolved).toHaveLength(3);
      await placeSecrets({ DATA_DIR } as Env, secrets, true);
      expect(await readdir(DATA_DIR)).toEqual(['jwt-private-key.pem']);
      expect(await readFile(join(DATA_DIR, 'jwt-private-key.pem'), 'utf8')).toBe(good);
    }
  });

  it('should take back the keys that it has placed when the restore is refused', async () => {
    const DATA_DIR = await temporaryFolder();
    const secrets = { 'jwt-private-key.pem': 'a key' };
    const isPlaced = async () => (await readdir(DATA_DIR)).length === 1;
    const refused = withMissingKeys({ DATA_DIR } as Env, secrets, async () => {
      throw new Error(`placed: ${await isPlaced()}`);
    });
    await expect(refused).rejects.toThrow('placed: true');
    expect(await isPlaced()).toBe(false);
    expect(await withMissingKeys({ DATA_DIR } as Env, secrets, isPlaced)).toBe(true);
    expect(await isPlaced()).toBe(true);
    const others = { 'jwt-private-key.pem': 'another key' };
    await expect(
      withMissingKeys({ DATA_DIR } as Env, others, () => Promise.reject(new Error('refused'))),
    ).rejects.toThrow('refused');
    expect(await readFile(join(DATA_DIR, 'jwt-private-key.pem'), 'utf8')).toBe('a key');
  });

  describe('from a pipe', () => {
    const { TMPDIR } = process.env;

    afterAll(() => {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    });

    it('should read the same bytes twice, and leave no file behind', async () => {
      const temporary = await temporaryFolder();
      process.env['TMPDIR'] = temporary;
      const pipe = join(folder, 'pipe');
      await promisify(execFile)('mkfifo', [pipe]);
      const backup = backupOf([{ name: 'messages', records: [{ _id: id }] }]);
      const written = writeFile(pipe, backup);
      await InputFile.use(pipe, async (file) => {
        expect(await readdir(temporary)).toEqual([]);
        expect(await checkBackupFile(file)).toMatchObject({ records: 1 });
        expect(await checkBackupFile(file)).toMatchObject({ records: 1 });
      });
      await written;
    });
  });
});
