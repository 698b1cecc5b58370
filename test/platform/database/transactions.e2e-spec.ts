import { beforeAll, describe, expect, it } from '@jest/globals';
import { getModelToken } from '@nestjs/mongoose';
import { mongo, Types, type Model } from 'mongoose';
import { Webhook } from '../../../src/events/webhooks/schemas/webhook.schema.js';
import { DatabaseService } from '../../../src/platform/database/database.service.js';
import { startApp, type TestApp } from '../../support/start-app.js';

const SECRET = { kid: 'one', iv: 'iv', data: 'data', tag: 'tag' };

describe('a transaction', () => {
  let server: TestApp;
  let webhooks: Model<Webhook>;

  beforeAll(async () => {
    server = await startApp();
    webhooks = server.app.get<Model<Webhook>>(getModelToken(Webhook.name));
  });

  /** Inserts a webhook, whose secret is a document in the document. The first calls fail with these errors. */
  async function insert(...errors: readonly Error[]): Promise<string> {
    const url = `https://hooks.invalid/${String(new Types.ObjectId())}`;
    const left = [...errors];
    await server.app.get(DatabaseService).transaction(async (session) => {
      await webhooks.create([{ url, events: ['*'], enabled: false, seq: 0, secret: SECRET }], {
        session,
      });
      const error = left.shift();
      if (error) throw error;
    });
    return url;
  }

  it('should throw what its work throws, and store nothing', async () => {
    const stored = server.db.collection('webhooks');
    const before = await stored.countDocuments();
    await expect(insert(new Error('what the work throws'))).rejects.toThrow('what the work throws');
    expect(await stored.countDocuments()).toBe(before);
  });

  it('should be repeated after a conflict, and store its records once', async () => {
    const conflict = new mongo.MongoServerError({ message: 'conflict', code: 112 });
    conflict.addErrorLabel('TransientTransactionError');
    const url = await insert(conflict);
    expect(await server.db.collection('webhooks').countDocuments({ url })).toBe(1);
  });
});
