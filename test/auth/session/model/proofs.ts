import { Secret, TOTP } from 'otpauth';
import { request, type Observed, type Operation } from './requests.js';
import {
  accountOf,
  authenticate,
  callerOf,
  confirmPassword,
  INVALID_ACCESS_TOKEN,
  isOwnedByEnabled,
  probe,
  refusal,
  success,
  type Step,
} from './rules.js';
import { at, type AccessToken, type PersonalToken, type State } from './state.js';

/** Second factors and personal access tokens: what they do in the model, and how they are sent. */

const STEP_MS = 30_000;
const PERSONAL_TOKEN_MS = 90 * 24 * 3_600_000;

const SECOND_FACTOR_REQUIRED = refusal(
  401,
  '10001',
  'send a code of your app or a recovery code as well, or sign in with your passkey',
);
const WRONG_CODE = refusal(401, '10001', 'wrong code: wait for the next one, and try again');
const NO_FACTOR = refusal(404, '10001', 'factor not found');
const NO_TOKEN = refusal(404, '10001', 'token not found');
const SESSION_NEEDED = refusal(403, '10001', 'sign in: a personal access token cannot do this');

/** The secrets of the apps that owners have on their phones, by account. */
const phones = new Map<string, string>();

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** The code that the app of an account shows in a time step; any code for an account that never had an app. */
export function codeOf(account: string, step: number): string {
  const secret = phones.get(account);
  if (secret === undefined) return '000000';
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: step * STEP_MS });
}

/** @param step time step of the code that the app of now shows; null if no code is sent */
export function checkCode(index: number, step: number | null, account: string): Step {
  const secret = phones.get(account);
  return ({ accounts, keys, now }, request) => {
    const { app } = at(accounts, index);
    if (!app) return null;
    if (step === null) return SECOND_FACTOR_REQUIRED;
    const isNear = Math.abs(step - stepAt(now)) <= 1;
    const isRight = keys.includes(app.kid) && app.secret === secret;
    if (!isRight || !isNear || step <= app.lastStep) return WRONG_CODE;
    app.lastStep = step;
    request.hasFactor = true;
    return null;
  };
}

/** Enrols an app, or another one in its place. */
export function enrolApp(state: State, access: AccessToken, password: string): Operation {
  const step = stepAt(state.now);
  const { id } = at(state.accounts, at(state.sessions, access.session).account);
  const post = { method: 'POST', accessToken: access.text } as const;
  return {
    label: `enrol an app, session ${access.session}`,
    steps: [
      authenticate(access),
      confirmPassword(password),
      ({ keys, ...rest }, request) => {
        const account = accountOf({ keys, ...rest }, request);
        const codes = account.app ? 0 : 10;
        account.app = { secret: phones.get(id), kid: at(keys, 0), lastStep: step };
        callerOf({ keys, ...rest }, request).hasFactor = true;
        return success('success', codes);
      },
    ],
    stepsBeforeBreakpoint: null,
    send: async (app): Promise<Observed> => {
      const body = { name: 'phone', password };
      const begun = await request(app, { ...post, url: '/auth/factors/totp', body });
      if (begun.secret === undefined) return begun;
      phones.set(id, begun.secret);
      const code = codeOf(id, step);
      return request(app, { ...post, url: '/auth/factors/totp/confirm', body: { code } });
    },
  };
}

export function removeApp(access: AccessToken, password: string): Operation {
  const accessToken = access.text;
  return {
    label: `remove the app, session ${access.session}`,
    steps: [
      authenticate(access),
      confirmPassword(password),
      (state, request) => {
        const account = accountOf(state, request);
        if (!account.app) return NO_FACTOR;
        account.app = null;
        return success('success');
      },
    ],
    stepsBeforeBreakpoint: null,
    send: async (app): Promise<Observed> => {
      const listed = await request(app, { method: 'GET', url: '/auth/factors', accessToken });
      if (listed.answer.status !== 200) return listed;
      const { factors } = listed.answer.data as { readonly factors: readonly { _id: string }[] };
      const url = `/auth/factors/id/${factors[0]?._id ?? '0'.repeat(24)}`;
      return request(app, { method: 'DELETE', url, accessToken, body: { password } });
    },
  };
}

export const createToken = (access: AccessToken): Operation => ({
  label: `create a personal token, session ${access.session}`,
  steps: [
    authenticate(access),
    (state, request) => ({
      ownerOfToken: callerOf(state, request).account,
      expiresAt: state.now + PERSONAL_TOKEN_MS,
    }),
  ],
  stepsBeforeBreakpoint: null,
  send: (app) =>
    request(app, {
      method: 'POST',
      url: '/auth/tokens',
      accessToken: access.text,
      body: { name: 'script', roles: ['LEARNER'] },
    }),
});

export function deleteToken(access: AccessToken, { id }: PersonalToken): Operation {
  return {
    label: `delete personal token ${id}, session ${access.session}`,
    steps: [
      authenticate(access),
      (state, request) => {
        const token = state.personalTokens.find((one) => one.id === id);
        const isTheirs = token?.account === callerOf(state, request).account;
        if (!token?.isStored || !isTheirs) return NO_TOKEN;
        token.isStored = false;
        return success('success');
      },
    ],
    stepsBeforeBreakpoint: null,
    send: (app) =>
      request(app, {
        method: 'DELETE',
        url: `/auth/tokens/id/${id}`,
        accessToken: access.text,
      }),
  };
}

/** What a personal token says depends on its owner as of now, and on none of the sessions and passwords. */
const authenticatePersonal =
  ({ id }: PersonalToken): Step =>
  (state) => {
    const token = state.personalTokens.find((one) => one.id === id);
    const isValid = token?.isStored && state.now < token.expiresAt;
    return isValid && isOwnedByEnabled(state, token) ? null : INVALID_ACCESS_TOKEN;
  };

const withPersonal = (token: PersonalToken, url: string, outcome: Step): Operation => ({
  label: `GET ${url} by personal token ${token.id}`,
  steps: [authenticatePersonal(token), outcome],
  stepsBeforeBreakpoint: null,
  send: (app) => request(app, { method: 'GET', url, accessToken: token.text }),
});

export const probePersonal = (token: PersonalToken): Operation =>
  withPersonal(token, '/admin/messages', probe);

export const listByPersonal = (token: PersonalToken): Operation =>
  withPersonal(token, '/auth/sessions', () => SESSION_NEEDED);
