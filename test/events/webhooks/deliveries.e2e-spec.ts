import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryStore } from '../../../src/events/webhooks/deliveries/delivery-store.js';
import { relay } from '../../blog/history/stored-events.js';
import { DAY, holdClock, HOUR, MINUTE, SECOND } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { ENV, openWebhookFixture, type CreatedWebhook, type WebhookFixture } from './fixture.js';
import { Receiver, verify } from './receiver.js';

describe('the deliveries of a webhook', () => {
  let fixture: WebhookFixture;
  let receiver: Receiver;

  beforeAll(async () => {
    // The access token outlives the pauses between calls.
    fixture = await openWebhookFixture({ env: { ...ENV, ACCESS_TOKEN_TTL: '10d' } });
  });

  beforeEach(async () => {
    receiver = await fixture.resetWithReceiver();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);

  it('should be signed calls with the events of the log', async () => {
    const { _id, secret } = await fixture.create(receiver.url);
    const blog = await fixture.publish();
    await fixture.send();
    expect(receiver.types).toEqual(['blog.published']);
    const [call] = receiver.calls;
    const events = (await fixture.admin.client.get('/admin/events?limit=100')).body.data;
    const event = events.find(({ id }: { id: string }) => id === call!.headers['webhook-id']);
    expect(event).toMatchObject({ type: 'blog.published', data: { _id: blog._id } });
    expect(verify(secret, call!)).toEqual({
      type: event.type,
      timestamp: event.timestamp,
      data: event.data,
    });
    expect(call!.headers['webhook-signature']).toMatch(/^v1,[\w+/=]+$/);
    expect(() => verify(secret, { ...call!, body: `${call!.body} ` })).toThrow();
    expect(await fixture.deliveries(_id)).toMatchObject([
      { event: event.id, type: 'blog.published', state: 'delivered', attempts: 1 },
    ]);
    await fixture.send();
    expect(receiver.calls).toHaveLength(1);
  });

  it('should include the chosen events only, or all events with *', async () => {
    await fixture.create(`${receiver.url}/one`, { events: ['blog.unpublished'] });
    await fixture.create(`${receiver.url}/all`, { events: ['*'] });
    const { _id } = await fixture.publish();
    await unpublish(_id);
    await fixture.send();
    const typesAt = (path: string): string[] =>
      receiver.calls
        .filter((call) => call.path === path)
        .map(({ body }) => (JSON.parse(body) as { type: string }).type)
        .sort();
    expect(typesAt('/one')).toEqual(['blog.unpublished']);
    expect(typesAt('/all')).toEqual(['blog.published', 'blog.submitted', 'blog.unpublished']);
  });

  it('should include no event that happened before the webhook was created, or while it was off', async () => {
    await fixture.publish();
    const { _id } = await fixture.create(receiver.url);
    await fixture.change(_id, { enabled: false });
    await fixture.publish();
    await fixture.send();
    await fixture.change(_id, { enabled: true });
    await fixture.send();
    expect(receiver.calls).toEqual([]);
    await fixture.publish();
    await fixture.send();
    expect(receiver.types).toEqual(['blog.published']);
  });

  it('should be repeated with growing pauses, be given up after three days, and switch the webhook off', async () => {
    const clock = holdClock(fixture.app);
    const { _id } = await fixture.create(receiver.url);
    receiver.answer = (response) => void response.writeHead(500).end('not now');
    await fixture.publish();
    await fixture.send();
    const pauses = [5 * SECOND, MINUTE, 10 * MINUTE, HOUR, ...Array<number>(11).fill(6 * HOUR)];
    for (const [repeats, pause] of pauses.entries()) {
      expect(await fixture.deliveries(_id)).toMatchObject([
        { state: 'waiting', last: { status: 500, answer: 'not now', error: 'status 500' } },
      ]);
      clock.advance(pause - 1);
      await fixture.dispatch();
      expect(receiver.calls).toHaveLength(repeats + 1);
      clock.advance(1);
      await fixture.dispatch();
      expect(receiver.calls).toHaveLength(repeats + 2);
    }
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    // The next call would come 73 hours after the first.
    expect(await fixture.deliveries(_id)).toMatchObject([{ state: 'given up' }]);
    const disabledReason = 'blog.published was not delivered for three days: status 500';
    expect(await fixture.read(_id)).toMatchObject({ enabled: false, disabledReason });
    expect(fixture.log.some((line) => line.includes('is switched off'))).toBe(true);
  });

  it('should not wait for a failing delivery, nor for a slow receiver', async () => {
    const slow = await Receiver.open();
    const held = slow.hold();
    await fixture.create(slow.url, { events: ['*'] });
    await fixture.create(receiver.url, { events: ['*'] });
    receiver.answer = (response, { body }) =>
      void response.writeHead(body.includes('blog.published') ? 500 : 204).end();
    const { _id } = await fixture.publish();
    await unpublish(_id);
    await relay(fixture);
    const run = fixture.dispatch();
    await until('the calls of the fast receiver', () => receiver.calls.length === 3);
    expect(receiver.types).toContain('blog.unpublished');
    await until('the calls of the slow receiver', () => held.length === 3);
    for (const release of held) release();
    await run;
  });

  it('should be stored once although a process ended before it stored its position in the event log', async () => {
    const { _id } = await fixture.create(receiver.url);
    await fixture.publish();
    await relay(fixture);
    const store = fixture.app.get(DeliveryStore);
    const add = store.add.bind(store);
    jest.spyOn(store, 'add').mockImplementationOnce(async (...given) => {
      await add(...given);
      throw new Error('the process has ended');
    });
    await expect(fixture.dispatch()).rejects.toThrow('the process has ended');
    await fixture.dispatch();
    expect(receiver.calls).toHaveLength(1);
    expect(await fixture.deliveries(_id)).toHaveLength(1);
  });

  it('should be signed by both secrets for a day after a rotation', async () => {
    const clock = holdClock(fixture.app);
    const { _id, secret: former } = await fixture.create(receiver.url);
    const { body } = await fixture.admin.client.post<CreatedWebhook>(
      `/admin/webhooks/id/${_id}/rotate`,
    );
    const { secret } = body.data;
    expect(secret).not.toBe(former);
    await fixture.publish();
    await fixture.send();
    const [call] = receiver.calls;
    expect(call!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const each of [secret, former]) expect(verify(each, call!)).toBeDefined();
    await fixture.publish();
    clock.advance(DAY + 1);
    await fixture.send();
    expect(receiver.calls.at(-1)!.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });

  it('should store the beginning of the answer, and follow no redirect', async () => {
    const { _id } = await fixture.create(receiver.url);
    receiver.answer = (response) =>
      void response.writeHead(302, { location: `${receiver.url}/else` }).end('ä'.repeat(5_000));
    await fixture.publish();
    await fixture.send();
    const [delivery] = await fixture.deliveries(_id);
    expect(delivery?.last).toMatchObject({
      status: 302,
      error: 'redirects are not followed',
      answer: 'ä'.repeat(1_000),
      durationMs: expect.any(Number),
    });
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/']);
  });

  it('should be sent again on request, one or all since a time', async () => {
    const { _id } = await fixture.create(receiver.url);
    const start = new Date().toISOString();
    await fixture.publish();
    await fixture.publish();
    await fixture.send();
    expect(receiver.calls).toHaveLength(2);
    const replay = async (body: object): Promise<number> => {
      const count = await fixture.replay(_id, body);
      await fixture.dispatch();
      return count;
    };
    expect(await replay({ event: receiver.calls[0]!.headers['webhook-id'] })).toBe(1);
    expect(receiver.calls).toHaveLength(3);
    expect(await replay({ since: start })).toBe(2);
    expect(receiver.calls).toHaveLength(5);
    expect(await replay({ event: 'evt_none' })).toBe(0);
    for (const body of [{}, { event: 'evt_none', since: start }]) {
      const refused = await fixture.admin.client.post(`/admin/webhooks/id/${_id}/replay`, body);
      expect(refused.status).toBe(422);
    }
  });

  it('should be deleted with the webhook', async () => {
    const { _id } = await fixture.create(receiver.url);
    receiver.answer = (response) => void response.writeHead(500).end();
    await fixture.publish();
    await fixture.send();
    await fixture.admin.client.delete(`/admin/webhooks/id/${_id}`);
    expect(await fixture.db.collection('webhook_deliveries').countDocuments()).toBe(0);
  });

  describe('that are requested as a test', () => {
    const test = async (url: string) => {
      const { _id, secret } = await fixture.create(url);
      const { body } = await fixture.admin.client.post(`/admin/webhooks/id/${_id}/test`);
      return { _id, secret, ...body.data };
    };

    it('should be a signed call at once', async () => {
      const { _id, secret, ...result } = await test(receiver.url);
      expect(result).toMatchObject({ status: 204, answer: '' });
      const data = { _id };
      expect(verify(secret, receiver.calls[0]!)).toMatchObject({ type: 'webhook.test', data });
    });

    it('should report after 4 seconds that a receiver does not answer, or does not end its answer', async () => {
      const slow = await Receiver.open();
      receiver.answer = () => undefined;
      slow.answer = (response) => void response.write('some');
      const [one, other] = await Promise.all([test(receiver.url), test(slow.url)]);
      expect([one.error, other.error]).toEqual(Array(2).fill('no answer within 4 seconds'));
    });

    it('should report that nobody listens at the URL', async () => {
      expect((await test('http://127.0.0.1:1/')).error).toContain('ECONNREFUSED');
    });
  });
});
