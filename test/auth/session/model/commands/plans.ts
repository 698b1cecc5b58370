import fc from 'fast-check';
import { PASSWORD } from '../../../../support/factories.js';
import * as operations from '../operations.js';
import * as proofs from '../proofs.js';
import type { Operation } from '../requests.js';
import type { Run } from '../run.js';
import { at, type AccessToken, type PersonalToken, type RefreshToken } from '../state.js';

/** An operation that is built when its command runs: numbers select from the tokens and sessions that exist then. */
export interface Plan {
  readonly label: string;
  /** @returns null when there is no token, session or account for it */
  readonly build: (run: Run) => Operation | null;
}

/** An index that counts from the end. Mostly 0, which selects what was issued last. */
export const recentIndex = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 7 }));
const accountIndex = fc.nat({ max: 1 });

/** @param index counts from the end: 0 selects the last item */
export function fromEnd<Item>(items: readonly Item[], index: number): Item | null {
  return items[items.length - 1 - (index % items.length)] ?? null;
}

function plan<Choices>(
  label: string,
  choices: fc.Arbitrary<Choices>,
  build: (run: Run, choices: Choices) => Operation | null,
): fc.Arbitrary<Plan> {
  return choices.map((chosen) => ({
    label: `${label} ${JSON.stringify(chosen)}`,
    build: (run) => build(run, chosen),
  }));
}

/** A plan of an operation with an access token. It builds null when none has been issued. */
function planWithToken<Choices>(
  label: string,
  choices: Readonly<{ [Name in keyof Choices]: fc.Arbitrary<Choices[Name]> }>,
  build: (run: Run, token: AccessToken, choices: Choices) => Operation | null,
): fc.Arbitrary<Plan> {
  return plan(label, fc.tuple(recentIndex, fc.record(choices)), (run, [access, chosen]) => {
    const token = fromEnd(run.state.accessTokens, access);
    return token && build(run, token, chosen);
  });
}

const passwordChoice = fc.oneof(
  { weight: 6, arbitrary: fc.constant('right' as const) },
  { weight: 1, arbitrary: fc.constant('initial' as const) },
  { weight: 1, arbitrary: fc.constant('wrong' as const) },
);

function passwordOf(run: Run, account: number, choice: 'right' | 'initial' | 'wrong'): string {
  const { password } = at(run.state.accounts, account);
  return { right: password, initial: PASSWORD, wrong: 'not the password' }[choice];
}

export const signIn = plan(
  'sign in',
  fc.record({
    account: accountIndex,
    password: passwordChoice,
    // Time steps from now; the server accepts one before and one after.
    code: fc.constantFrom(null, null, -2, -1, 0, 0, 0, 1, 1, 2),
  }),
  (run, { account, password, code }) => {
    const step = code === null ? null : proofs.stepAt(run.state.now) + code;
    return operations.signIn(run.state, account, passwordOf(run, account, password), step);
  },
);

const accessTokenChoice = fc.oneof(
  { weight: 8, arbitrary: fc.constant('newest of the session' as const) },
  { weight: 2, arbitrary: fc.constant('oldest of the session' as const) },
  { weight: 2, arbitrary: fc.nat({ max: 7 }) },
);

function accessTokenFor(
  { state: { accessTokens } }: Run,
  { session }: RefreshToken,
  choice: number | 'newest of the session' | 'oldest of the session',
): AccessToken | null {
  if (typeof choice === 'number') return fromEnd(accessTokens, choice);
  const ofSession = accessTokens.filter((token) => token.session === session);
  return ofSession.at(choice === 'newest of the session' ? -1 : 0) ?? null;
}

/** Presents issued tokens only. refresh.e2e-spec.ts tests forged ones. */
export const refresh = plan(
  'refresh',
  fc.record({ token: recentIndex, access: accessTokenChoice }),
  (run, { token: index, access }) => {
    const token = fromEnd(run.state.refreshTokens, index);
    const accessToken = token && accessTokenFor(run, token, access);
    return token && accessToken && operations.refresh(accessToken, token);
  },
);

export const signOut = planWithToken('sign out', {}, (_, token) => operations.signOut(token));
export const list = planWithToken('list', {}, (_, token) => operations.listSessions(token));
export const endOthers = planWithToken('end others', {}, (_, token) => operations.endOthers(token));
export const endOne = planWithToken<{ session: number }>(
  'end one',
  { session: recentIndex },
  (run, token, { session }) => {
    const index = run.state.sessions.length - 1 - (session % run.state.sessions.length);
    return operations.endOne(run.state, token, index);
  },
);
export const changePassword = planWithToken<{
  password: 'right' | 'initial' | 'wrong';
  next: number;
}>(
  'change password',
  { password: passwordChoice, next: fc.nat({ max: 9 }) },
  (run, token, { password, next }) => {
    const { account } = at(run.state.sessions, token.session);
    const current = passwordOf(run, account, password);
    return operations.changePassword(token, current, `new password ${next}`);
  },
);
export const deleteAccount = planWithToken<{ password: 'right' | 'initial' | 'wrong' }>(
  'delete account',
  { password: passwordChoice },
  (run, token, { password }) => {
    const { account } = at(run.state.sessions, token.session);
    return operations.deleteAccount(token, passwordOf(run, account, password));
  },
);
export const enrolApp = planWithToken<{ password: 'right' | 'initial' | 'wrong' }>(
  'enrol an app',
  { password: passwordChoice },
  (run, token, { password }) => {
    const { account } = at(run.state.sessions, token.session);
    return proofs.enrolApp(run.state, token, passwordOf(run, account, password));
  },
);
export const removeApp = planWithToken<{ password: 'right' | 'initial' | 'wrong' }>(
  'remove the app',
  { password: passwordChoice },
  (run, token, { password }) => {
    const { account } = at(run.state.sessions, token.session);
    return proofs.removeApp(token, passwordOf(run, account, password));
  },
);
export const createToken = planWithToken('create a personal token', {}, (_, token) =>
  proofs.createToken(token),
);
const personal = (
  label: string,
  build: (run: Run, token: PersonalToken) => Operation | null,
): fc.Arbitrary<Plan> =>
  plan(label, recentIndex, (run, index) => {
    const token = fromEnd(run.state.personalTokens, index);
    return token && build(run, token);
  });
export const useToken = personal('use a personal token', (_, token) => proofs.probePersonal(token));
export const useTokenForSession = personal('list sessions by a personal token', (_, token) =>
  proofs.listByPersonal(token),
);
export const deleteToken = plan(
  'delete a personal token',
  fc.tuple(recentIndex, recentIndex),
  ({ state }, [access, index]) => {
    const caller = fromEnd(state.accessTokens, access);
    const token = fromEnd(state.personalTokens, index);
    return caller && token && proofs.deleteToken(caller, token);
  },
);
export const setEnabled = plan(
  'set enabled',
  fc.record({ account: accountIndex, isEnabled: fc.boolean() }),
  ({ state }, { account, isEnabled }) =>
    at(state.accounts, account).exists ? operations.setEnabled(state, account, isEnabled) : null,
);
