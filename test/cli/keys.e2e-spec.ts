import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Receiver } from '../events/webhooks/receiver.js';
import { person } from '../support/factories.js';
import { openCommandFixture, untilCoherent, type CommandFixture } from './fixture.js';

/** Each command starts a process. */
const TIMEOUT_MS = 120_000;

jest.setTimeout(TIMEOUT_MS);

describe('pressroom keys and webhooks, while a server runs', () => {
  let fixture: CommandFixture;

  beforeAll(async () => {
    fixture = await openCommandFixture({ WEBHOOK_HTTP: 'on', WEBHOOK_PRIVATE: 'on' });
  });

  it('should create a key, show it once, and disable it within a second', async () => {
    const { server, json } = fixture;
    const { _id, key } = await json(['keys', 'create', '--comment', 'mobile app']);
    const client = server.client.with({ 'x-api-key': key });
    const status = async () => (await client.get('/auth/verify/apikey')).status;
    expect(await status()).toBe(200);
    const disabled = await json(['keys', 'disable', _id]);
    await untilCoherent('403 for the key', async () => (await status()) === 403);
    expect(disabled).toMatchObject({ _id, enabled: false, comment: 'mobile app' });
    const listed = await json(['keys', 'list']);
    expect(listed[0]).toMatchObject({ _id, enabled: false });
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  it('should refuse an unknown key in one sentence', async () => {
    const { code, stderr } = await fixture.run(['keys', 'enable', 'f'.repeat(24)]);
    expect([code, stderr]).toEqual([
      1,
      'No API key has this id: "pressroom keys list" shows those that exist.\n',
    ]);
  });

  it('should call a webhook, and report what came of it', async () => {
    const receiver = await Receiver.open();
    const admin = await person(fixture.server, 'ADMIN');
    const body = { url: `${receiver.url}/hook`, events: ['*'] };
    const { _id } = (await admin.client.post('/admin/webhooks', body)).body.data;
    expect(await fixture.json(['webhooks', 'list'])).toEqual([
      expect.objectContaining({ _id, url: body.url, enabled: true }),
    ]);
    expect(await fixture.json(['webhooks', 'test', _id])).toMatchObject({ status: 204 });
    expect(receiver.types).toEqual(['webhook.test']);
    receiver.answer = (response) => void response.writeHead(500).end();
    const { code, stdout } = await fixture.run(['webhooks', 'test', _id]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Not delivered .*: status 500\n$/)]);
  });
});
