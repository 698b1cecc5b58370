import { Secret, TOTP } from 'otpauth';
import type { PressroomClient } from '../../../client/src/index.ts';
import type { People, WritingRun } from '../people.ts';
import { type Mailbox, tokenIn } from './mailbox.ts';

interface Invited {
  readonly email: string;
  readonly session: PressroomClient;
  password: string;
}

/** The admin invites an author, who accepts, forgets the password, sets a new one and enrols an app for codes. */
export async function goThroughAccount(
  run: WritingRun,
  { admin }: People,
  mailbox: Mailbox,
): Promise<void> {
  const invited = await invite(run, admin, mailbox);
  await resetPassword(run, invited, mailbox);
  await enrolApp(run, invited);
}

async function invite(
  { client, recorder, id }: WritingRun,
  admin: PressroomClient,
  mailbox: Mailbox,
): Promise<Invited> {
  const step = 'invitation';
  const email = `invited-${id}@journey.example`;
  const password = `first words of ${id}`;
  await client.call(step, 'POST', '/admin/invitations', {
    as: admin,
    body: { email, roles: ['AUTHOR'] },
  });
  const token = tokenIn(await mailbox.find(email, 'invited'));
  recorder.check(step, token !== '', 'no mail with a link has arrived');
  const body = { token, name: `Invited ${id}`, password };
  const { data } = await client.call(step, 'POST', '/auth/invitation/accept', { body });
  const codes = data.user.roles.map(({ code }) => code).join();
  recorder.check(step, codes === 'LEARNER,AUTHOR', `the roles are ${codes}`);
  // The link works once.
  await client.call(step, 'POST', '/auth/invitation/accept', { body, expect: 400 });
  const session = client.newClient();
  await client.signIn(step, () => session.signIn({ email, password }));
  return { email, session, password };
}

async function resetPassword(
  { client, recorder, id }: WritingRun,
  invited: Invited,
  mailbox: Mailbox,
): Promise<void> {
  const step = 'forgotten password';
  const { email } = invited;
  await client.call(step, 'POST', '/auth/password/forgot', { body: { email } });
  const token = tokenIn(await mailbox.find(email, 'Set a new password'));
  recorder.check(step, token !== '', 'no mail with a link has arrived');
  const password = `other words of ${id}`;
  await client.call(step, 'POST', '/auth/password/reset', { body: { token, password } });
  await client.call(step, 'GET', '/profile/mine', { as: invited.session, expect: 401 });
  await client.signIn(step, () => invited.session.signIn({ email, password }));
  invited.password = password;
}

async function enrolApp(
  { client, recorder }: WritingRun,
  { email, session, password }: Invited,
): Promise<void> {
  const step = 'second factor';
  const { data: begun } = await client.call(step, 'POST', '/auth/factors/totp', {
    as: session,
    body: { name: 'phone', password },
  });
  const code = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate();
  const { data } = await client.call(step, 'POST', '/auth/factors/totp/confirm', {
    as: session,
    body: { code },
  });
  const [recoveryCode = ''] = data.recoveryCodes;
  const signIn = (body: object, expect: number) =>
    client.call(step, 'POST', '/auth/signin/basic', {
      body: { email, password, ...body },
      expect,
    });
  await signIn({}, 401);
  // The code of the enrolment was used.
  await signIn({ code }, 401);
  await signIn({ code: recoveryCode }, 200);
  const { data: sessions } = await client.call(step, 'GET', '/auth/sessions', { as: session });
  const factors = sessions.map(({ factor }) => factor ?? 'none').sort();
  recorder.check(step, factors.join() === 'recovery,totp', `the factors are ${factors.join()}`);
}
