import { request, setEnabled as enable, USER_AGENT, type Operation } from './requests.js';
import { checkCode, codeOf } from './proofs.js';
import * as rules from './rules.js';
import { at, type AccessToken, type RefreshToken, type State } from './state.js';

/** @param codeStep time step of the code that is sent; null for a sign-in without a code */
export function signIn(
  state: State,
  account: number,
  password: string,
  codeStep: number | null = null,
): Operation {
  const { id, email } = at(state.accounts, account);
  const code = codeStep === null ? undefined : codeOf(id, codeStep);
  return {
    label: `sign in account ${account} with ${JSON.stringify(password)}, code ${code}`,
    steps: [
      rules.checkCredentials(account, password),
      checkCode(account, codeStep, id),
      rules.openSession(account),
    ],
    stepsBeforeBreakpoint: 1,
    send: (app) =>
      request(app, { method: 'POST', url: '/auth/signin/basic', body: { email, password, code } }),
  };
}

export function refresh(
  access: AccessToken,
  { session, counter, kid, text }: RefreshToken,
): Operation {
  return {
    label: `refresh with token ${counter} of session ${session}, access token of session ${access.session}`,
    steps: [
      rules.authenticate(access, { acceptExpired: true }),
      rules.rotate({ session, counter, kid }),
    ],
    stepsBeforeBreakpoint: null,
    send: (app) =>
      request(app, {
        method: 'POST',
        url: '/auth/refresh',
        accessToken: access.text,
        body: { refresh_token: text },
      }),
  };
}

export const signOut = (access: AccessToken): Operation =>
  withToken(access, 'sign out', rules.signOut, { method: 'DELETE', url: '/auth/signout' });

export const endOthers = (access: AccessToken): Operation =>
  withToken(access, 'end others', rules.endOthers, { method: 'DELETE', url: '/auth/sessions' });

export const listSessions = (access: AccessToken): Operation =>
  withToken(access, 'list', rules.listSessions(USER_AGENT), {
    method: 'GET',
    url: '/auth/sessions',
  });

/** Checks whether a token is valid, with a request that reads only its session and user. */
export const probe = (access: AccessToken): Operation =>
  withToken(access, 'probe', rules.probe, { method: 'GET', url: '/admin/apikeys' });

export function endOne(state: State, access: AccessToken, session: number): Operation {
  const url = `/auth/sessions/id/${at(state.sessions, session).sid}`;
  return withToken(access, `end session ${session}`, rules.endOne(session), {
    method: 'DELETE',
    url,
  });
}

export function changePassword(
  access: AccessToken,
  currentPassword: string,
  newPassword: string,
): Operation {
  return {
    label: `change password to ${JSON.stringify(newPassword)}, session ${access.session}`,
    steps: [
      rules.authenticate(access),
      rules.confirmPassword(currentPassword),
      rules.changePassword(newPassword),
    ],
    stepsBeforeBreakpoint: 2,
    send: (app) =>
      request(app, {
        method: 'PUT',
        url: '/auth/password',
        accessToken: access.text,
        body: { currentPassword, newPassword },
      }),
  };
}

export function deleteAccount(access: AccessToken, password: string): Operation {
  return {
    label: `delete account, session ${access.session}`,
    steps: [rules.authenticate(access), rules.confirmPassword(password), rules.deleteAccount],
    stepsBeforeBreakpoint: 2,
    send: (app) =>
      request(app, {
        method: 'DELETE',
        url: '/profile/mine',
        accessToken: access.text,
        body: { password },
      }),
  };
}

export function setEnabled(state: State, account: number, isEnabled: boolean): Operation {
  const { id } = at(state.accounts, account);
  return {
    label: `${isEnabled ? 'enable' : 'disable'} account ${account}`,
    steps: [rules.setEnabled(account, isEnabled)],
    stepsBeforeBreakpoint: null,
    send: (app) => enable(app, id, isEnabled),
  };
}

function withToken(
  access: AccessToken,
  label: string,
  step: rules.Step,
  { method, url }: { method: 'GET' | 'DELETE'; url: string },
): Operation {
  return {
    label: `${label}, session ${access.session}`,
    steps: [rules.authenticate(access), step],
    stepsBeforeBreakpoint: null,
    send: (app) => request(app, { method, url, accessToken: access.text }),
  };
}
