import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { mongo } from 'mongoose';
import { openCommandFixture, type CommandFixture } from '../../cli/fixture.js';
import { connect, freshDatabaseUri } from '../../support/mongo/mongo.js';
import { person, type Person } from '../../support/factories.js';
import { temporaryFolder } from '../../support/process.js';
import { openAuditFixture, type AuditFixture } from './fixture.js';

// Each command starts a process.
jest.setTimeout(120_000);

describe('pressroom audit', () => {
  let commands: CommandFixture;
  let fixture: AuditFixture;
  let admin: Person;

  beforeAll(async () => {
    commands = await openCommandFixture();
    fixture = await openAuditFixture({
      uri: commands.server.uri,
      env: { JWT_PRIVATE_KEYS: commands.server.env.JWT_PRIVATE_KEYS ?? '' },
    });
    admin = await person(fixture.server, 'ADMIN');
    await fixture.record(3);
    await fixture.seal();
  });

  it('verify should name what does not hold, by its exit code as well', async () => {
    const whole = await commands.json(['audit', 'verify']);
    expect(whole).toMatchObject({ seals: 1, records: 3, findings: [], unchecked: [] });
    const { number, mac } = whole.newest;
    const seal = `${number}:${mac}`;
    expect((await commands.run(['audit', 'verify', '--seal', seal])).code).toBe(0);

    const record = await fixture.records.findOneAndDelete({ seal: 1 });
    const { code, stdout } = await commands.run(['audit', 'verify']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('seal 1: records of this seal')]);
    if (record) await fixture.records.insertOne(record);

    const stored = await fixture.seals.findOneAndDelete({ _id: 1 });
    const records = await fixture.records.find().toArray();
    await fixture.records.deleteMany({});
    expect((await commands.run(['audit', 'verify'])).code).toBe(0);
    expect(await commands.json(['audit', 'verify', '--seal', seal], { code: 1 })).toMatchObject({
      findings: [{ seal: 1, fault: 'gone' }],
    });
    await fixture.records.insertMany(records);
    if (stored) await fixture.seals.insertOne({ ...stored, kid: 'of a former key' });
    expect(await commands.json(['audit', 'verify'], { code: 2 })).toMatchObject({
      findings: [],
      unchecked: [1],
    });
  });

  it('verify should refuse what is no seal of the log', async () => {
    expect((await commands.run(['audit', 'verify', '--seal', '1:short'])).code).toBe(64);
  });

  it('export should write every record of a time as a line, and be recorded itself', async () => {
    await fixture.record(2);
    const file = join(await temporaryFolder(), 'audit.jsonl');
    const options = ['--from', '2026-01-01', '--output', file];
    const { records } = await commands.json(['audit', 'export', ...options]);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const { body } = await admin.client.get('/admin/audit');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(body.data.toReversed());
    expect(records).toBe(lines.length);
    expect(body.data[0]).toMatchObject({ kind: 'data.exported', details: { format: 'audit' } });
    const { stdout } = await commands.run(['audit', 'export', '--to', '2026-01-01']);
    expect(stdout).toBe('');
  });

  it.each([
    [['keys', 'create'], 'key.created', undefined],
    [['export'], 'data.exported', { format: 'records' }],
    [['backup', '-'], 'data.backedup', { format: 'file' }],
  ])('should record what %j does, without an actor', async (args, kind, details) => {
    expect((await commands.run(args)).code).toBe(0);
    const { body } = await admin.client.get('/admin/audit?limit=1');
    expect(body.data[0]).toMatchObject({ kind, ...(details ? { details } : {}) });
    expect(body.data[0]).not.toHaveProperty('actor');
    expect(body.data[0]).not.toHaveProperty('clientPrefix');
  });

  it('should record a restore in the database that it filled, with the log of before', async () => {
    const file = join(await temporaryFolder(), 'pressroom.backup');
    await commands.run(['backup', file]);
    const uri = freshDatabaseUri();
    const { code } = await commands.run(['restore', file], { env: { MONGODB_URI: uri } });
    expect(code).toBe(0);
    const kindsIn = async (records: mongo.Collection) =>
      (await records.find().sort({ at: -1, _id: -1 }).toArray()).map(({ kind }) => kind as string);
    const kinds = await kindsIn(fixture.server.db.collection('audit'));
    const restored = (await connect(uri)).db().collection('audit');
    expect(await kindsIn(restored)).toEqual(['data.restored', ...kinds]);
  });
});
