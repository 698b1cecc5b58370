import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { HostLookup } from '../../../src/events/webhooks/sending/host-lookup.js';
import { openBlogFixture, type BlogFixture } from '../../blog/core/fixture.js';
import { person, type Person } from '../../support/factories.js';
import { until } from '../../support/time/wait.js';

describe('a webhook', () => {
  let fixture: BlogFixture;
  let admin: Person;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    admin = await person(fixture, 'ADMIN');
  });

  const create = (url: string, events: unknown = ['*']) =>
    admin.client.post('/admin/webhooks', { url, events });
  const test = async (id: string) =>
    (await admin.client.post(`/admin/webhooks/id/${id}/test`)).body.data;

  it('should show its secret once, and store it sealed', async () => {
    const { body } = await create('https://127.0.0.1:1/hook');
    const { _id, secret, ...shown } = body.data;
    expect(secret).toMatch(/^whsec_[\w+/=]{44}$/);
    expect(shown).toMatchObject({ url: 'https://127.0.0.1:1/hook', events: ['*'], enabled: true });
    const get = await admin.client.get(`/admin/webhooks/id/${_id}`);
    const list = await admin.client.get('/admin/webhooks');
    expect(get.body.data).toEqual({ _id, ...shown });
    expect(list.body.data).toContainEqual(get.body.data);
    const stored = JSON.stringify(await fixture.db.collection('webhooks').find().toArray());
    for (const text of [get.text, list.text, stored, ...fixture.log]) {
      expect(text).not.toContain(secret.slice('whsec_'.length));
    }
  });

  it.each([
    ['http', 'http://example.org/hook', ['*']],
    ['another scheme', 'ftp://example.org/hook', ['*']],
    ['a password', 'https://ada:secret@example.org/hook', ['*']],
    ['no URL', 'example', ['*']],
    ['an address as a number', 'https://2130706433/', ['*']],
    ['no event', 'https://example.org/', []],
    ['an unknown event', 'https://example.org/', ['blog.read']],
    ['an event twice', 'https://example.org/', ['*', '*']],
  ])('should not be created with %s', async (_what, url, events) => {
    expect((await create(url, events)).status).toBe(422);
  });

  it.each([
    'https://127.0.0.1:1/',
    'https://localhost:1/',
    'https://[::1]:1/',
    'https://[::ffff:127.0.0.1]:1/',
  ])('should not call %s', async (url) => {
    const { body } = await create(url);
    const { status, error } = await test(body.data._id);
    expect([status, error]).toEqual([
      undefined,
      'the host has a private address: only WEBHOOK_PRIVATE=on allows it',
    ]);
  });

  it('should refuse a host of which one address is private, and resolve its name once for each call', async () => {
    const hosts = fixture.app.get(HostLookup);
    const answers = [['93.184.216.34', '127.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    jest.spyOn(hosts, 'resolve').mockImplementation((_name, done) => {
      asked += 1;
      const addresses = answers[Math.min(asked, answers.length) - 1] ?? [];
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    });
    const { body } = await create('https://rebinding.example/');
    for (const call of [1, 2]) {
      expect((await test(body.data._id)).error).toContain('private address');
      expect(asked).toBe(call);
    }
    jest.restoreAllMocks();
  });

  it('should resolve a host only once for concurrent calls, and not delay calls to other hosts', async () => {
    const hosts = fixture.app.get(HostLookup);
    const waiting: (() => void)[] = [];
    jest.spyOn(hosts, 'resolve').mockImplementation((_name, done) => {
      waiting.push(() => done(null, [{ address: '127.0.0.1', family: 4 }]));
    });
    const { body } = await create('https://slow-names.example/');
    const tests = Array.from({ length: 5 }, () => test(body.data._id));
    await until('the calls', () => waiting.length > 0);
    await test((await create('https://127.0.0.1:1/')).body.data._id);
    expect(waiting).toHaveLength(1);
    waiting.pop()?.();
    for (const { error } of await Promise.all(tests)) expect(error).toContain('private address');
    jest.restoreAllMocks();
  });

  it('should not be called by http with WEBHOOK_HTTP=off, even if its stored URL is http', async () => {
    const { body } = await create('https://example.org/');
    const url = 'http://example.org/';
    await fixture.db
      .collection('webhooks')
      .updateOne({ _id: new Types.ObjectId(String(body.data._id)) }, { $set: { url } });
    expect((await test(body.data._id)).error).toBe('an http URL: only WEBHOOK_HTTP=on allows it');
  });

  it('should say that its secret must be rotated when the signing key is gone', async () => {
    const { body } = await create('https://127.0.0.1:1/');
    await fixture.db
      .collection('webhooks')
      .updateMany({ url: 'https://127.0.0.1:1/' }, { $set: { 'secret.kid': 'gone' } });
    expect((await test(body.data._id)).error).toContain('rotate the secret');
  });
});
