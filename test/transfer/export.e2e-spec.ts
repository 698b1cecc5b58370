import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { COLLECTION_RULES, EXPORTED } from '../../src/transfer/collection-rules.js';
import { blogIn } from '../support/factories.js';
import { OwnMongo } from '../support/mongo/own-mongo.js';
import { runNode } from '../support/process.js';
import { startApp } from '../support/start-app.js';
import { exported, onDatabase, openNewsroom, recordsOf, type Newsroom } from './fixture.js';

describe('pressroom export', () => {
  let newsroom: Newsroom;
  let text: string;

  beforeAll(async () => {
    newsroom = await openNewsroom();
    text = await exported(newsroom.server);
  });

  it('should have a rule for every collection', async () => {
    const declared = await onDatabase(newsroom.server, ({ connection }) =>
      Promise.resolve(
        Object.values(connection.models).map(({ collection }) => collection.collectionName),
      ),
    );
    expect(Object.keys(COLLECTION_RULES).sort()).toEqual([...declared, 'migrations'].sort());
  });

  it('should hold all records of all collections but those of secrets and derived ones', async () => {
    const counts = Object.fromEntries(
      await Promise.all(
        EXPORTED.map(async (name) => [
          name,
          await newsroom.server.db.collection(name).countDocuments(),
        ]),
      ),
    ) as Record<string, number>;
    const inText = Map.groupBy(recordsOf(text), ({ collection }) => collection);
    expect(Object.fromEntries([...inText].map(([name, { length }]) => [name, length]))).toEqual(
      Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    );
    const empty = EXPORTED.filter((name) => !inText.has(name));
    expect(empty).toEqual(['deleted_accounts']);
  });

  it('should hold no secret', () => {
    expect(newsroom.secrets.length).toBeGreaterThan(8);
    for (const secret of newsroom.secrets) {
      expect(secret.length).toBeGreaterThan(15);
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/\$2[aby]\$|whsec_|"(?:password|secret|keyHash|key)":/);
  });

  it('should be the same bytes each time, with the fields in order', async () => {
    expect(await exported(newsroom.server)).toBe(text);
    const [{ record } = { record: {} }] = recordsOf(text).filter(
      ({ collection }) => collection === 'blogs',
    );
    const [first, ...others] = Object.keys(record);
    expect(first).toBe('_id');
    expect(others).toEqual([...others].sort());
  });

  it('should leave out the fields that only an older server has read', async () => {
    const messages = newsroom.server.db.collection('messages');
    await messages.updateOne({}, { $set: { __v: 0 } });
    expect(await exported(newsroom.server)).toBe(text);
    await messages.updateOne({}, { $unset: { __v: 1 } });
  });

  it('should hold one moment, whatever changes meanwhile', async () => {
    const { author, editor } = newsroom.people;
    const large = 'x'.repeat(70_000);
    const filler = await newsroom.server.client.post('/contact', { type: 'filler', msg: 'a' });
    const _id = filler.body.data._id as string;
    await newsroom.server.db
      .collection('messages')
      .updateOne({ type: 'filler' }, { $set: { msg: large } });
    const before = await exported(newsroom.server);
    let made: string | undefined;
    const during = await exported(newsroom.server, async () => {
      made ??= (await blogIn('draft', author, editor))._id;
    });
    expect(during).toBe(before);
    expect(during).toContain(_id);
    expect(made).toBeDefined();
    expect(await exported(newsroom.server)).toContain(made);
  });

  it('should refuse --stop while a server answers requests', async () => {
    const beats = newsroom.server.db.collection<{ _id: string }>('beats');
    const read = (): Promise<void> =>
      onDatabase(newsroom.server, (database) =>
        database.read({ isStopped: true }, () => Promise.resolve()),
      );
    await beats.updateOne(
      { _id: 'other' },
      { $set: { count: 1, at: new Date() } },
      { upsert: true },
    );
    await expect(read()).rejects.toThrow('stop the servers to read without a snapshot.');
    await beats.deleteMany({});
    await read();
  });

  it('should need --stop on a standalone', async () => {
    const mongo = await OwnMongo.createStandalone();
    const server = await startApp({ uri: mongo.uri('standalone') });
    await expect(exported(server)).rejects.toThrow('repeat the command with --stop');
  });

  describe('the program', () => {
    const run = (...args: string[]): ReturnType<typeof runNode> =>
      runNode(['bin/pressroom.mjs', ...args], {
        cwd: newsroom.folder,
        env: { MONGODB_URI: newsroom.server.uri },
      });

    it('should write a file for its owner alone, and never over a file', async () => {
      const written = await run('--json', 'export', 'all.ndjson');
      expect(written).toMatchObject({ code: 0, stderr: '' });
      const file = join(newsroom.folder, 'all.ndjson');
      const stored = await readFile(file, 'utf8');
      expect(stored).toBe(await exported(newsroom.server));
      const records = recordsOf(stored).length;
      expect(JSON.parse(written.stdout)).toEqual({ file: 'all.ndjson', records });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await run('export', 'all.ndjson')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'all.ndjson exists: remove it, or name another file.\n',
      });
      expect((await readdir(newsroom.folder)).sort()).toEqual(['.data', 'all.ndjson']);
    }, 120_000);

    it('should write to the standard output', async () => {
      const { code, stdout } = await run('export');
      expect(code).toBe(0);
      expect(stdout).toBe(await exported(newsroom.server));
    }, 60_000);
  });
});
