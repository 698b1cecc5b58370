import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { OneTimeTokenKind } from '../../../src/auth/one-time-tokens/one-time-token-kinds.js';
import { OneTimeTokens } from '../../../src/auth/one-time-tokens/one-time-tokens.service.js';
import { ProviderLinks } from '../../../src/auth/oidc/provider-links.service.js';
import { FactorsService } from '../../../src/auth/factors/factors.service.js';
import { NOBODY } from '../../../src/events/audit/audit.service.js';
import { enrolApp } from '../../auth/factors/totp.js';
import { account, PASSWORD, person, unique, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { KINDS_OF_PEOPLE } from './kinds-of-people.js';

type Kind = (typeof KINDS_OF_PEOPLE)[number];

let server: TestApp;
let admin: Person;

beforeAll(async () => {
  server = await startApp();
  admin = await person(server, 'ADMIN');
});

/** Calls a route with the token of a link to an account. */
async function useLink(kind: OneTimeTokenKind, path: string, body: object = {}): Promise<string> {
  const { _id, email } = await person(server);
  const data = { email: kind === 'emailVerification' ? email : `${unique('other')}@example.org` };
  const owner = new Types.ObjectId(_id);
  const token = await server.app.get(OneTimeTokens).issue(kind, { owner, data });
  expect((await server.client.post(path, { token, ...body })).status).toBe(200);
  return _id;
}

async function invite(): Promise<string> {
  const body = { email: `${unique('guest')}@example.org`, roles: ['AUTHOR'] };
  return (await admin.client.post<{ _id: string }>('/admin/invitations', body)).body.data._id;
}

async function withApp(): Promise<Person> {
  const owner = await person(server);
  await enrolApp(owner);
  return owner;
}

async function newToken({ client }: Person): Promise<string> {
  const body = { name: 'nightly', roles: [] };
  return (await client.post<{ _id: string }>('/auth/tokens', body)).body.data._id;
}

/** Each act returns its subject, and who did it unless the subject did. */
const ACTS: Readonly<
  Record<Kind, () => Promise<readonly [subject: string, actor?: string | null]>>
> = {
  'password.reset': async () => [
    await useLink('passwordReset', '/auth/password/reset', {
      password: 'a new password of theirs',
    }),
  ],
  'email.verified': async () => [await useLink('emailVerification', '/auth/email/verify')],
  'email.changed': async () => [await useLink('emailChange', '/auth/email/confirm')],
  'email.undone': async () => [await useLink('emailUndo', '/auth/email/undo')],
  'factor.added': async () => [(await withApp())._id],
  'factor.removed': async () => {
    const { _id, client } = await withApp();
    const { body } = await client.get<{ factors: { _id: string }[] }>('/auth/factors');
    const path = `/auth/factors/id/${body.data.factors[0]?._id}`;
    await client.delete(path, { body: { password: PASSWORD } });
    return [_id];
  },
  'factor.reset': async () => {
    const { _id } = await withApp();
    await server.app.get(FactorsService).reset(new Types.ObjectId(_id), NOBODY);
    return [_id, null];
  },
  'invitation.created': async () => [await invite(), admin._id],
  'invitation.sent': async () => {
    const id = await invite();
    await admin.client.post(`/admin/invitations/id/${id}/resend`);
    return [id, admin._id];
  },
  'invitation.withdrawn': async () => {
    const id = await invite();
    await admin.client.delete(`/admin/invitations/id/${id}`);
    return [id, admin._id];
  },
  'invitation.accepted': async () => {
    const id = await invite();
    const owner = new Types.ObjectId(id);
    const token = await server.app.get(OneTimeTokens).issue('invitation', { owner });
    const answer = await server.client.post<{ user: { _id: string } }>('/auth/invitation/accept', {
      token,
      name: 'Gina',
      password: PASSWORD,
    });
    return [id, answer.body.data.user._id];
  },
  'provider.linked': async () => {
    const { _id } = await account(server);
    const person = { issuer: 'https://login.example', subject: _id };
    await server.app.get(ProviderLinks).add(new Types.ObjectId(_id), person, {}, null);
    return [_id];
  },
  'token.created': async () => {
    const owner = await person(server);
    return [await newToken(owner), owner._id];
  },
  'token.deleted': async () => {
    const owner = await person(server);
    const id = await newToken(owner);
    await owner.client.delete(`/auth/tokens/id/${id}`);
    return [id, owner._id];
  },
};

describe('the audit log', () => {
  it.each(KINDS_OF_PEOPLE)('should have a record of %s, with ids only', async (kind) => {
    const [subject, actor = subject] = await ACTS[kind]();
    const records = await server.db
      .collection('audit')
      .find({ kind, subject: new Types.ObjectId(subject) })
      .toArray();
    expect(records).toHaveLength(1);
    expect(records[0]?.['actor']?.toString() ?? null).toBe(actor);
    expect(JSON.stringify(records)).not.toMatch(/@|example|Gina|nightly|phone/);
  });
});
