import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventLog } from '../../../src/events/log/event-log.service.js';
import { DeliveryStore } from '../../../src/events/webhooks/deliveries/delivery-store.js';
import { WebhookDispatcher } from '../../../src/events/webhooks/deliveries/webhook-dispatcher.job.js';
import { relay } from '../../blog/history/stored-events.js';
import { holdNextCall } from '../../platform/caching/support/barriers.js';
import { DAY, HOUR } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { newEvents } from '../new-events.js';
import { openWebhookFixture, type CreatedWebhook, type WebhookFixture } from './fixture.js';
import { verify, type Receiver } from './receiver.js';

describe('a webhook', () => {
  let fixture: WebhookFixture;
  let receiver: Receiver;
  let log: EventLog;

  beforeAll(async () => {
    fixture = await openWebhookFixture();
    log = fixture.app.get(EventLog);
  });

  beforeEach(async () => {
    receiver = await fixture.resetWithReceiver();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Moves the times of all stored deliveries into the past. */
  async function age(days: number): Promise<void> {
    const past = (path: string) => ({ $subtract: [path, days * DAY] });
    await fixture.db
      .collection('webhook_deliveries')
      .updateMany({ nextAt: { $exists: true } }, [
        { $set: { firstAt: past('$firstAt'), nextAt: past('$nextAt') } },
      ]);
    await fixture.db
      .collection('webhook_deliveries')
      .updateMany({}, [{ $set: { createdAt: past('$createdAt') } }]);
  }

  describe('that is asked to send again', () => {
    it('should do so although the same event is being sent', async () => {
      const { _id } = await fixture.create(receiver.url);
      await fixture.publish();
      await relay(fixture);
      const held = receiver.hold();
      const run = fixture.dispatch();
      await until('the call', () => held.length === 1);
      const event = receiver.calls[0]!.headers['webhook-id'];
      expect(await fixture.replay(_id, { event })).toBe(1);
      held.pop()?.();
      await until('the repeated call', () => held.length === 1);
      held.pop()?.();
      await run;
      expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([event, event]);
      expect(await fixture.deliveries(_id)).toMatchObject([{ state: 'delivered' }]);
    });

    it('should keep the delivery for another seven days', async () => {
      const { _id } = await fixture.create(receiver.url);
      await fixture.publish();
      await fixture.send();
      await age(6);
      const [old] = await fixture.deliveries(_id);
      expect(Date.parse(old!.createdAt)).toBeLessThan(Date.now() - 5 * DAY);
      const before = Date.now();
      await fixture.replay(_id, { since: new Date(before - HOUR).toISOString() });
      const [delivery] = await fixture.deliveries(_id);
      expect(Date.parse(delivery!.createdAt)).toBeGreaterThanOrEqual(before);
    });

    it('should take thousands of events in one request', async () => {
      const { _id } = await fixture.create(receiver.url, { enabled: false });
      const since = new Date().toISOString();
      await log.append(newEvents(4_000, 'blog.published'));
      expect(await fixture.replay(_id, { since })).toBe(4_000);
      const filter = { nextAt: { $exists: true } };
      expect(await fixture.db.collection('webhook_deliveries').countDocuments(filter)).toBe(4_000);
    });
  });

  it('should keep the stored outcome when another process made the same call', async () => {
    const { _id } = await fixture.create(receiver.url);
    await fixture.publish();
    await relay(fixture);
    const store = fixture.app.get(DeliveryStore);
    const record = store.record.bind(store);
    // Simulates a process that lost the lock, but made the same call as well, and got status 500.
    jest.spyOn(store, 'record').mockImplementationOnce(async (delivery, attempt) => {
      const isStored = await record(delivery, attempt);
      expect(await record(delivery, { ...attempt, error: 'status 500' })).toBe(true);
      return isStored;
    });
    await fixture.dispatch();
    const [delivery] = await fixture.deliveries(_id);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(delivery).not.toHaveProperty('nextAt');
  });

  it('should receive a chosen event that follows many others', async () => {
    await fixture.create(receiver.url, { events: ['blog.deleted'] });
    await log.append([...newEvents(350), ...newEvents(1, 'blog.deleted')]);
    await fixture.dispatch();
    expect(receiver.types).toEqual(['blog.deleted']);
  });

  it('should not be called again for an event that was delivered while the dispatcher read what is due', async () => {
    await fixture.create(receiver.url);
    await fixture.publish();
    await relay(fixture);
    const held = receiver.hold();
    const { outcomes } = fixture.app.get(WebhookDispatcher);
    const { delivered } = outcomes;
    const run = fixture.dispatch();
    await until('the call', () => held.length === 1);
    const due = holdNextCall(fixture.app.get(DeliveryStore), 'due');
    await due.untilRead();
    receiver.answer = (response) => void response.writeHead(204).end();
    for (const answer of held) answer();
    await until('the stored outcome', () => outcomes.delivered === delivered + 1);
    due.release();
    await run;
    expect(receiver.calls).toHaveLength(1);
  });

  it('should be called as one of a hundred webhooks', async () => {
    await fixture.create(receiver.url);
    const [webhook] = await fixture.db.collection('webhooks').find().toArray();
    const others = Array.from({ length: 99 }, () => {
      const { _id: _, ...fields } = webhook!;
      return fields;
    });
    await fixture.db.collection('webhooks').insertMany(others);
    await fixture.publish();
    await fixture.send();
    expect(receiver.calls).toHaveLength(100);
  });

  describe('that is switched on', () => {
    it('should miss no event when it is switched on twice at the same time', async () => {
      const { _id } = await fixture.create(receiver.url, { enabled: false });
      const lastSeq = log.lastSeq.bind(log);
      jest.spyOn(log, 'lastSeq').mockImplementationOnce(async () => {
        await fixture.change(_id, { enabled: true });
        await fixture.publish();
        await relay(fixture);
        return lastSeq();
      });
      await fixture.change(_id, { enabled: true });
      await fixture.dispatch();
      expect(receiver.types).toEqual(['blog.published']);
    });

    it('should have another three days for the events that it has not received', async () => {
      receiver.answer = (response) => void response.writeHead(500).end();
      const { _id } = await fixture.create(receiver.url);
      await fixture.publish();
      await fixture.send();
      await fixture.change(_id, { enabled: false });
      await age(4);
      await fixture.change(_id, { enabled: true });
      await fixture.dispatch();
      expect(receiver.calls).toHaveLength(2);
      expect(await fixture.deliveries(_id)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
      expect(await fixture.read(_id)).toMatchObject({ enabled: true });
    });
  });

  it('should not be switched off when it was given another URL during the last call', async () => {
    const { _id } = await fixture.create(receiver.url);
    receiver.answer = (response) => void response.writeHead(500).end();
    await fixture.publish();
    await fixture.send();
    await age(4);
    receiver.answer = (response) => {
      void fixture
        .change(_id, { url: `${receiver.url}/fixed` })
        .then(() => response.writeHead(500).end());
    };
    await fixture.dispatch();
    expect(await fixture.deliveries(_id)).toMatchObject([{ state: 'given up' }]);
    expect(await fixture.read(_id)).toMatchObject({ enabled: true });
  });

  it('should get a different secret from each of several rotations at the same time', async () => {
    const { _id, secret: first } = await fixture.create(receiver.url);
    const rotations = Array.from({ length: 5 }, () =>
      fixture.admin.client.post<CreatedWebhook>(`/admin/webhooks/id/${_id}/rotate`),
    );
    const answers = await Promise.all(rotations);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const secrets = [first, ...answers.map(({ body }) => body.data.secret)];
    expect(new Set(secrets).size).toBe(6);
    await fixture.publish();
    await fixture.send();
    const [call] = receiver.calls;
    const signingSecrets = secrets.filter((secret) => {
      try {
        return verify(secret, call!) !== undefined;
      } catch {
        return false;
      }
    });
    // The newest secret and the one before it sign.
    expect(signingSecrets).toHaveLength(2);
  });
});
