import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { AUDIT_KIND_NAMES } from '../../../src/events/audit/audit-kinds.js';
import {
  blogIn,
  person,
  PASSWORD,
  unique,
  unknownId,
  type Person,
} from '../../support/factories.js';
import { openSession } from '../../support/sessions.js';
import { holdClock, MINUTE } from '../../support/time/clock.js';
import { KINDS_OF_PEOPLE } from './kinds-of-people.js';
import { openAuditFixture, type AuditFixture } from './fixture.js';

/** Kinds of acts that no route does or that are counted (see refused-sign-ins and commands), and those of people.e2e-spec.ts. */
const OTHER_KINDS = [
  'signin.refused',
  'data.exported',
  'data.imported',
  'data.backedup',
  'data.restored',
  ...KINDS_OF_PEOPLE,
];

interface Expected {
  readonly actor: string;
  readonly subject: string;
  readonly details?: object;
}

interface Act {
  readonly kind: string;
  readonly act: () => Promise<Expected>;
}

describe('the audit log', () => {
  let fixture: AuditFixture;
  let admin: Person;
  /** Texts that no record may have. */
  const secrets = new Set<string>([PASSWORD, 'a note on the key', 'hooks.invalid']);

  beforeAll(async () => {
    fixture = await openAuditFixture();
    admin = await somebody('ADMIN');
  });

  async function somebody(...roles: Parameters<typeof person>[1][]): Promise<Person> {
    const someone = await person(fixture.server, ...roles);
    for (const text of [someone.email, someone.name, someone.accessToken, someone.refreshToken]) {
      secrets.add(text);
    }
    return someone;
  }

  /** Sends a request that must succeed. */
  async function done(
    { client }: Pick<Person, 'client'>,
    method: string,
    path: string,
    body?: object,
  ) {
    const answer = await client.request(method, path, body ? { body } : {});
    expect([answer.status, answer.body.message]).toEqual([200, expect.any(String)]);
    for (const name of ['key', 'secret']) {
      const secret: unknown = answer.body.data?.[name];
      if (typeof secret === 'string') secrets.add(secret);
    }
    return answer.body.data;
  }

  const byAdmin = (subject: string, details?: object): Expected => ({
    actor: admin._id,
    subject,
    ...(details ? { details } : {}),
  });
  const newKey = async () =>
    (await done(admin, 'POST', '/admin/apikeys', { comment: 'a note on the key' }))._id;
  const newWebhook = async () => {
    const body = { url: 'https://hooks.invalid/hook', events: ['*'] };
    return (await done(admin, 'POST', '/admin/webhooks', body))._id;
  };

  const ACTS: readonly Act[] = [
    {
      kind: 'user.created',
      act: async () => {
        const body = {
          email: `${unique('new')}@example.org`,
          name: unique('New'),
          password: PASSWORD,
        };
        secrets.add(body.email).add(body.name);
        const { user } = await done(fixture.server, 'POST', '/auth/signup/basic', body);
        return { actor: user._id, subject: user._id };
      },
    },
    {
      kind: 'user.roles',
      act: async () => {
        const { _id } = await somebody();
        const roles = ['LEARNER', 'EDITOR'];
        await done(admin, 'PUT', `/admin/users/id/${_id}/roles`, { roles });
        return byAdmin(_id, { roles });
      },
    },
    {
      kind: 'user.status',
      act: async () => {
        const { _id } = await somebody();
        await done(admin, 'PUT', `/admin/users/id/${_id}/status`, { enabled: false });
        return byAdmin(_id, { enabled: false });
      },
    },
    {
      kind: 'user.deleted',
      act: async () => {
        const someone = await somebody();
        await done(someone, 'DELETE', '/profile/mine', { password: PASSWORD });
        return { actor: someone._id, subject: someone._id };
      },
    },
    {
      kind: 'password.changed',
      act: async () => {
        const someone = await somebody();
        const newPassword = 'a horse of another colour';
        secrets.add(newPassword);
        await done(someone, 'PUT', '/auth/password', { currentPassword: PASSWORD, newPassword });
        return { actor: someone._id, subject: someone._id };
      },
    },
    {
      kind: 'session.ended',
      act: async () => {
        const someone = await somebody();
        const { client, sid } = await openSession(fixture.server, someone);
        await done({ client }, 'DELETE', '/auth/signout');
        return { actor: someone._id, subject: someone._id, details: { session: sid } };
      },
    },
    {
      kind: 'session.ended',
      act: async () => {
        const someone = await somebody();
        const { sid } = await openSession(fixture.server, someone);
        await done(someone, 'DELETE', `/auth/sessions/id/${sid}`);
        return { actor: someone._id, subject: someone._id, details: { session: sid } };
      },
    },
    {
      kind: 'session.ended',
      act: async () => {
        const someone = await somebody();
        await openSession(fixture.server, someone);
        await openSession(fixture.server, someone);
        await done(someone, 'DELETE', '/auth/sessions');
        return { actor: someone._id, subject: someone._id, details: { count: 2 } };
      },
    },
    {
      kind: 'session.reused',
      act: async () => {
        const someone = await somebody();
        const { client, sid, refreshToken } = await openSession(fixture.server, someone);
        const body = { refresh_token: refreshToken };
        const clock = holdClock(fixture.server.app);
        await done({ client }, 'POST', '/auth/refresh', body);
        clock.advance(MINUTE);
        expect((await client.post('/auth/refresh', body)).status).toBe(401);
        clock.release();
        return { actor: someone._id, subject: someone._id, details: { session: sid } };
      },
    },
    { kind: 'key.created', act: async () => byAdmin(await newKey()) },
    {
      kind: 'key.changed',
      act: async () => {
        const id = await newKey();
        await done(admin, 'PUT', `/admin/apikeys/id/${id}`, { enabled: false });
        return byAdmin(id, { enabled: false });
      },
    },
    {
      kind: 'key.deleted',
      act: async () => {
        const id = await newKey();
        await done(admin, 'DELETE', `/admin/apikeys/id/${id}`);
        return byAdmin(id);
      },
    },
    { kind: 'webhook.created', act: async () => byAdmin(await newWebhook()) },
    {
      kind: 'webhook.changed',
      act: async () => {
        const id = await newWebhook();
        await done(admin, 'PUT', `/admin/webhooks/id/${id}`, { enabled: false });
        return byAdmin(id);
      },
    },
    {
      kind: 'webhook.rotated',
      act: async () => {
        const id = await newWebhook();
        await done(admin, 'POST', `/admin/webhooks/id/${id}/rotate`);
        return byAdmin(id);
      },
    },
    {
      kind: 'webhook.deleted',
      act: async () => {
        const id = await newWebhook();
        await done(admin, 'DELETE', `/admin/webhooks/id/${id}`);
        return byAdmin(id);
      },
    },
    {
      kind: 'blog.author',
      act: async () => {
        const [author, other] = [await somebody('AUTHOR'), await somebody('AUTHOR')];
        const { _id } = await blogIn('draft', author, admin);
        await done(admin, 'PUT', `/admin/blogs/id/${_id}/author`, { user: other._id });
        return byAdmin(_id, { to: other._id });
      },
    },
    {
      kind: 'blog.contributors',
      act: async () => {
        const { _id } = await blogIn('draft', await somebody('AUTHOR'), admin);
        await done(admin, 'DELETE', `/admin/blogs/id/${_id}/contributors`);
        return byAdmin(_id);
      },
    },
    {
      kind: 'user.blogs',
      act: async () => {
        const [author, other] = [await somebody('AUTHOR'), await somebody('AUTHOR')];
        await done(admin, 'PUT', `/admin/users/id/${author._id}/blogs/author`, { user: other._id });
        return byAdmin(author._id, { to: other._id });
      },
    },
  ];

  it.each(ACTS)('should get one record of $kind', async ({ kind, act }) => {
    const { actor, subject, details } = await act();
    const { body } = await admin.client.get(`/admin/audit?subject=${subject}`);
    expect(body.data[0]).toEqual({
      _id: expect.any(String),
      at: expect.any(String),
      kind,
      actor,
      subject,
      clientPrefix: '127.0.0.0/24',
      ...(details ? { details } : {}),
      sealed: false,
    });
    const same = { kind: kind as 'user.roles', subject: new Types.ObjectId(subject) };
    expect(await fixture.records.countDocuments(same)).toBe(1);
  });

  it('should have a test of every kind', () => {
    const tested = [...new Set([...ACTS.map(({ kind }) => kind), ...OTHER_KINDS])];
    expect(tested.sort()).toEqual([...AUDIT_KIND_NAMES].sort());
  });

  it('should have ids only: no address, name, text or secret', async () => {
    expect(await fixture.records.countDocuments()).toBeGreaterThanOrEqual(ACTS.length);
    const text = JSON.stringify(await fixture.records.find().toArray());
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it.each([
    ['PUT', `/admin/users/id/${unknownId()}/status`, { enabled: false }],
    ['DELETE', `/admin/apikeys/id/${unknownId()}`, undefined],
    ['DELETE', `/admin/webhooks/id/${unknownId()}`, undefined],
    ['DELETE', `/admin/blogs/id/${unknownId()}/contributors`, undefined],
    ['DELETE', `/auth/sessions/id/${unknownId()}`, undefined],
  ])('should get nothing of what was refused: %s %s', async (method, path, body) => {
    const before = await fixture.records.countDocuments();
    const { status } = await admin.client.request(method, path, body ? { body } : {});
    expect([status, await fixture.records.countDocuments()]).toEqual([404, before]);
  });

  it('should get nothing of a change that would remove the last admin', async () => {
    const path = `/admin/users/id/${admin._id}/status`;
    const before = await fixture.records.countDocuments();
    const { body } = await admin.client.put(path, { enabled: false });
    expect([body.reason, await fixture.records.countDocuments()]).toEqual(['last_admin', before]);
  });
});
