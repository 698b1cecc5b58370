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
    const { body } = await create('https://hooks.invalid/hook');
    const { _id, secret, ...shown } = body.data;
    expect(secret).toMatch(/^whsec_[\w+/=]{44}$/);
    expect(shown).toMatchObject({
      url: 'https://hooks.invalid/hook',
      events: ['*'],
      enabled: true,
    });
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
    ['an override', 'https://example.org/\u202e', ['*']],
    ['no event', 'https://example.org/', []],
    ['an unknown event', 'https://example.org/', ['blog.read']],
    ['an event twice', 'https://example.org/', ['*', '*']],
  ])('should not be created with %s', async (_what, url, events) => {
    expect((await create(url, events)).status).toBe(422);
  });

  const UNUSUAL =
    'must be an http or https URL of at most 500 characters, its host in the usual form';
  const PRIVATE = 'must have a public host, unless WEBHOOK_PRIVATE=on: this one is private';

  it.each([
    ['127.0.0.1:1', PRIVATE],
    ['127.1', UNUSUAL],
    ['2130706433', UNUSUAL],
    ['0x7f000001', PRIVATE],
    ['0177.0.0.1', UNUSUAL],
    ['127.0.0.1.', UNUSUAL],
    ['0.0.0.0', PRIVATE],
    ['10.0.0.1', PRIVATE],
    ['192.168.1.1', PRIVATE],
    ['172.16.0.1', PRIVATE],
    ['169.254.169.254', PRIVATE],
    ['100.64.0.1', PRIVATE],
    ['[::1]:1', PRIVATE],
    ['[::]', PRIVATE],
    ['[::ffff:127.0.0.1]:1', PRIVATE],
    ['[::ffff:7f00:1]', PRIVATE],
    ['[fe80::1]', PRIVATE],
    ['[fd12:3456::1]', PRIVATE],
    ['[64:ff9b::7f00:1]', PRIVATE],
    ['localhost:1', PRIVATE],
    ['LOCALHOST', PRIVATE],
    ['localhost.', UNUSUAL],
    ['hooks.localhost', PRIVATE],
    ['１２７.0.0.1', UNUSUAL],
  ])('should not get the private host %s, and not call it if it has it', async (host, problem) => {
    const url = `https://${host}/`;
    const message = `validation error: url ${problem}`;
    expect((await create(url)).body).toMatchObject({ status: 422, message });
    const { _id } = (await create('https://hooks.invalid/')).body.data;
    const change = await admin.client.put(`/admin/webhooks/id/${_id}`, { url });
    expect(change.body).toMatchObject({ status: 422, message });
    await fixture.db
      .collection('webhooks')
      .updateOne({ _id: new Types.ObjectId(String(_id)) }, { $set: { url } });
    expect((await test(_id)).error).toBe(
      'the host has a private address: only WEBHOOK_PRIVATE=on allows it',
    );
    // What does not concern the URL can still be changed.
    const disabled = await admin.client.put(`/admin/webhooks/id/${_id}`, { enabled: false });
    expect(disabled.status).toBe(200);
  });

  it.each([
    '8.8.8.8',
    '[2a00:1450::1]',
    'localhost.example.org',
    'mylocalhost.example',
    '1.example',
  ])('should get the host %s', async (host) => {
    expect((await create(`https://${host}/`)).status).toBe(200);
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
    jest.spyOn(hosts, 'resolve').mockImplementation((name, done) => {
      const answer = (): void => done(null, [{ address: '127.0.0.1', family: 4 }]);
      if (name === 'slow-names.example') waiting.push(answer);
      else answer();
    });
    const { body } = await create('https://slow-names.example/');
    const tests = Array.from({ length: 5 }, () => test(body.data._id));
    await until('the calls', () => waiting.length > 0);
    await test((await create('https://other-names.invalid/')).body.data._id);
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
    const { body } = await create('https://hooks.invalid/');
    await fixture.db
      .collection('webhooks')
      .updateMany({ url: 'https://hooks.invalid/' }, { $set: { 'secret.kid': 'gone' } });
    expect((await test(body.data._id)).error).toContain('rotate the secret');
  });
});
