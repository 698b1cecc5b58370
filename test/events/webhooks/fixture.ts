import { WebhookDispatcher } from '../../../src/events/webhooks/deliveries/webhook-dispatcher.job.js';
import { openBlogFixture, type BlogFixture } from '../../blog/core/fixture.js';
import { relay } from '../../blog/history/stored-events.js';
import { blogIn, person, type BlogInState, type Person } from '../../support/factories.js';
import { Receiver } from './receiver.js';

/** Settings without which no webhook could call 127.0.0.1. */
export const ENV = { WEBHOOK_HTTP: 'on', WEBHOOK_PRIVATE: 'on' };

export interface CreatedWebhook {
  readonly _id: string;
  readonly secret: string;
}

/** A server that calls webhooks when a test says so. */
export interface WebhookFixture extends BlogFixture {
  readonly admin: Person;
  /** Lets the outbox relay log all new events, and removes all webhooks. @returns a new receiver */
  resetWithReceiver(): Promise<Receiver>;
  /** Creates a webhook for `blog.published`, unless the fields name other events. */
  create(url: string, fields?: object): Promise<CreatedWebhook>;
  change(id: string, fields: object): Promise<void>;
  read(id: string): Promise<{ enabled: boolean; disabledReason?: string }>;
  replay(id: string, body: object): Promise<number>;
  deliveries(
    id: string,
  ): Promise<{ state: string; attempts: number; createdAt: string; last?: object }[]>;
  publish(): Promise<BlogInState>;
  /** Makes the calls that are due. */
  dispatch(): Promise<unknown>;
  /** Lets the outbox relay log all new events, and then makes the calls that are due. */
  send(): Promise<void>;
}

export async function openWebhookFixture(
  options: Parameters<typeof openBlogFixture>[0] = {},
): Promise<WebhookFixture> {
  const fixture = await openBlogFixture({ env: ENV, ...options });
  const admin = await person(fixture, 'ADMIN');
  const path = (id: string, suffix = '') => `/admin/webhooks/id/${id}${suffix}`;
  async function requestData(method: string, route: string, body?: object) {
    const { status, body: answer } = await admin.client.request(method, route, { body });
    if (status !== 200) throw new Error(`${status} for ${method} ${route}: ${answer.message}`);
    return answer.data;
  }
  const dispatch = (): Promise<unknown> =>
    fixture.app.get(WebhookDispatcher).run(new AbortController().signal);
  return {
    ...fixture,
    admin,
    resetWithReceiver: async () => {
      await relay(fixture);
      for (const name of ['webhooks', 'webhook_deliveries']) {
        await fixture.db.collection(name).deleteMany({});
      }
      return Receiver.open();
    },
    create: (url, fields = {}) =>
      requestData('POST', '/admin/webhooks', { url, events: ['blog.published'], ...fields }),
    change: (id, fields) => requestData('PUT', path(id), fields),
    read: (id) => requestData('GET', path(id)),
    replay: async (id, body) => (await requestData('POST', path(id, '/replay'), body)).deliveries,
    deliveries: (id) => requestData('GET', path(id, '/deliveries')),
    publish: () => blogIn('live', fixture.author, fixture.editor),
    dispatch,
    send: async () => {
      await relay(fixture);
      await dispatch();
    },
  };
}
