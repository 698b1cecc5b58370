import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MongoMemoryReplSet } from 'mongodb-memory-server';
import { mongo } from 'mongoose';
import { startReplicaSet } from '../../../scripts/support/replica-set.mjs';
import { runNode, startNode, temporaryFolder, untilReady } from '../../support/process.js';

const PAGE = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');

/** The commands in docs/operations.md that create roles. */
const ROLES = [...PAGE.matchAll(/```json\n(?<command>\{\n {2}"createRole"[^`]*)```/g)].map(
  ({ groups }) => JSON.parse(groups?.command ?? '') as mongo.Document & { createRole: string },
);

const CREDENTIALS = {
  API_KEY: 'the-key-of-a-seed',
  ADMIN_EMAIL: 'boss@example.org',
  ADMIN_PASSWORD: 'a long enough password',
};

describe('the database roles of docs/operations.md', () => {
  let replicaSet: MongoMemoryReplSet;

  const uriFor = (role: string): string =>
    `mongodb://${role}:secret@${new URL(replicaSet.getUri()).host}/pressroom?authSource=admin&replicaSet=rs0`;

  beforeAll(async () => {
    ({ mongo: replicaSet } = await startReplicaSet({
      name: 'rs0',
      auth: { enable: true, customRootName: 'root', customRootPwd: 'secret' },
    }));
    const client = await mongo.MongoClient.connect(uriFor('root'));
    const admin = client.db('admin');
    for (const role of ROLES) {
      await admin.command(role);
      await admin.command({ createUser: role.createRole, pwd: 'secret', roles: [role.createRole] });
    }
    await client.close();
  }, 60_000);

  afterAll(() => replicaSet.stop());

  it('should suffice for migrating, seeding, and a journey on the server', async () => {
    const cwd = await temporaryFolder();
    const seeded = await runNode(['bin/pressroom.mjs', 'seed'], {
      cwd,
      env: { ...CREDENTIALS, MONGODB_URI: uriFor('pressroomMigration') },
    });
    expect(seeded.stderr).toBe('');
    expect(seeded.code).toBe(0);

    const env = { ...CREDENTIALS, MONGODB_URI: uriFor('pressroomServer'), MIGRATE: 'off' };
    const settings = { NODE_ENV: 'test', PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };
    const server = startNode(['dist/main.js'], { cwd, env: { ...env, ...settings } });
    const url = await untilReady(server);
    const journey = await runNode(['scripts/journey.ts', '--url', url], { cwd, env: CREDENTIALS });
    expect(journey.stdout).toMatch(/ 0 failed\n$/);
    expect(journey.code).toBe(0);
    expect(server.output.stdout + server.output.stderr).not.toContain('not authorized');
  }, 90_000);

  it('should not let the server drop a collection', async () => {
    const client = await mongo.MongoClient.connect(uriFor('pressroomServer'));
    await expect(client.db().collection('users').drop()).rejects.toThrow('not authorized');
    await client.close();
  });
});
