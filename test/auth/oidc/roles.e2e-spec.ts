import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { account, unique } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { settings, type SignedIn } from './browser.js';
import { signInBy, startProvider, type TestProvider } from './provider.js';

let provider: TestProvider;
let server: TestApp;
let subject: string;

const OIDC_ROLES = 'groups:desk=EDITOR, groups:writers=AUTHOR, groups:boss=ADMIN, staff:yes=AUTHOR';

beforeAll(async () => {
  provider = await startProvider();
  server = await startApp({ env: { ...settings(provider.issuer), OIDC_ROLES } });
});

beforeEach(() => {
  subject = unique('subject');
});

async function signIn(groups: unknown): Promise<SignedIn['user']> {
  const email = `${subject}@example.org`;
  provider.people.set(subject, { email, email_verified: true, groups });
  const { status, body } = await signInBy(server, provider, subject);
  expect(status).toBe(200);
  return body.data.user;
}

const codes = ({ roles }: SignedIn['user']) => roles.map(({ code }) => code);

const audited = (user: SignedIn['user']) =>
  server.db
    .collection('audit')
    .find({ kind: 'user.roles', subject: new Types.ObjectId(user._id) })
    .sort({ at: 1 })
    .toArray();

describe('OIDC_ROLES', () => {
  it('should give and take roles at each sign-in, as the claim says, and tell the audit log', async () => {
    const first = await signIn(['desk', 'others']);
    expect(codes(first)).toEqual(['LEARNER', 'EDITOR']);
    expect(await audited(first)).toEqual([]);
    expect(codes(await signIn('writers'))).toEqual(['LEARNER', 'AUTHOR']);
    expect(codes(await signIn(['writers', 'desk']))).toEqual(['LEARNER', 'AUTHOR', 'EDITOR']);
    expect(codes(await signIn(undefined))).toEqual(['LEARNER']);
    expect(codes(await signIn([]))).toEqual(['LEARNER']);
    const records = await audited(first);
    expect(records.map(({ details }) => (details as { roles: string[] }).roles)).toEqual([
      ['LEARNER', 'AUTHOR'],
      ['LEARNER', 'AUTHOR', 'EDITOR'],
      ['LEARNER'],
    ]);
    expect(records.every(({ actor }) => actor === undefined)).toBe(true);
  });

  it('should hold at once for sessions that exist', async () => {
    const email = `${subject}@example.org`;
    provider.people.set(subject, { email, email_verified: true, groups: ['writers'] });
    const { body } = await signInBy(server, provider, subject);
    const author = server.client.as(body.data.tokens.accessToken);
    expect((await author.get('/blog/author/drafts')).status).toBe(200);
    await signIn([]);
    expect((await author.get('/blog/author/drafts')).body.reason).toBe('insufficient_role');
  });

  it('should let the last ADMIN keep all roles, sign in, and say so in the log', async () => {
    const boss = await signIn(['boss', 'writers']);
    expect(codes(await signIn(['desk']))).toEqual(codes(boss));
    expect(server.log.join('')).toContain('takes the role ADMIN from the last ADMIN');
    await account(server, 'ADMIN');
    expect(codes(await signIn(['desk']))).toEqual(['LEARNER', 'EDITOR']);
  });

  it('should leave roles alone that it does not name', async () => {
    const few = await startApp({
      uri: server.uri,
      env: { ...settings(provider.issuer), OIDC_ROLES: 'groups:desk=EDITOR' },
    });
    await signIn(['writers', 'desk']);
    provider.people.set(subject, { groups: [] });
    const { body } = await signInBy(few, provider, subject);
    expect(codes(body.data.user)).toEqual(['LEARNER', 'AUTHOR']);
  });
});
