import {
  at,
  GRACE_MS,
  isAlive,
  isStoredAndUnexpired,
  type AccessToken,
  type PersonalToken,
  type State,
} from './state.js';

/** A response, as far as the model predicts it. */
export interface Answer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The header `instruction`, which tells a client to refresh. */
  readonly instruction: string | null;
  readonly data: unknown;
}

/** The predicted response. Of a token pair, whose text differs each time, only session and counter are predicted. */
export type Outcome =
  | Answer
  | { readonly session: number; readonly counter: number }
  | { readonly ownerOfToken: number; readonly expiresAt: number };

/** State of a request between its steps. */
export interface RequestState {
  /** The caller's session. */
  caller?: number;
  /** The account's epoch when the password was checked. */
  checkedEpoch?: number;
  /** Whether a code was proved. */
  hasFactor?: boolean;
}

/**
 * An atomic step of a request. Steps of other requests may run between two steps. A request ends with
 * the first step that has an outcome.
 */
export type Step = (state: State, request: RequestState) => Outcome | null;

export interface PresentedRefreshToken {
  readonly session: number;
  readonly counter: number;
  readonly kid: string;
}

export const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  code,
  message,
  instruction: null,
  data: undefined,
});
export const success = (message: string, data?: unknown): Answer => ({
  status: 200,
  code: '10000',
  message,
  instruction: null,
  data,
});

export const INVALID_ACCESS_TOKEN = refusal(401, '10003', 'invalid access token');
const EXPIRED = {
  ...refusal(401, '10003', 'access token has expired'),
  instruction: 'refresh_token',
};
const ENDED = refusal(
  401,
  '10003',
  'the session has ended (time, sign-out, new password, or 20 newer sessions): sign in again',
);
const INVALID_REFRESH_TOKEN = refusal(401, '10001', 'invalid refresh token: sign in again');
const INVALID_CREDENTIALS = refusal(401, '10001', 'invalid email or password');
const WRONG_PASSWORD = refusal(401, '10001', 'invalid password');
const FACTOR_NEEDED = refusal(
  403,
  '10001',
  'this needs a second factor: enrol one, or sign in with the one that you have',
);
const NO_SESSION = refusal(404, '10001', 'session not found');

/** @param acceptExpired for a refresh, which accepts an expired access token */
export const authenticate =
  (token: AccessToken, { acceptExpired = false } = {}): Step =>
  (state, request) => {
    if (!state.keys.includes(token.kid)) return INVALID_ACCESS_TOKEN;
    if (token.exp * 1_000 <= state.now && !acceptExpired) return EXPIRED;
    if (!isAlive(state, at(state.sessions, token.session))) return ENDED;
    request.caller = token.session;
    return null;
  };

export const rotate =
  ({ session: index, counter, kid }: PresentedRefreshToken): Step =>
  (state, { caller }) => {
    if (!state.keys.includes(kid) || index !== caller) return INVALID_REFRESH_TOKEN;
    const session = at(state.sessions, index);
    const { now, lifetimes } = state;
    if (!isAlive(state, session)) return ENDED;
    if (counter === session.counter) {
      session.counter += 1;
      session.usedAt = now;
      session.rotatedAt = now;
      session.expiresAt = Math.min(now + lifetimes.idleMs, session.createdAt + lifetimes.maxAgeMs);
      return { session: index, counter: session.counter };
    }
    const isPredecessor = counter === session.counter - 1;
    if (isPredecessor && now - (session.rotatedAt ?? -Infinity) <= GRACE_MS) {
      return { session: index, counter: session.counter };
    }
    session.isStored = false;
    return ENDED;
  };

export const checkCredentials =
  (index: number, password: string): Step =>
  ({ accounts }, request) => {
    const { exists, isEnabled, password: right, epoch } = at(accounts, index);
    if (!exists || !isEnabled || password !== right) return INVALID_CREDENTIALS;
    request.checkedEpoch = epoch;
    return null;
  };

export const openSession =
  (account: number): Step =>
  ({ accounts, sessions, now, lifetimes }, { checkedEpoch: epoch = NaN, hasFactor = false }) => {
    if (!at(accounts, account).exists) return INVALID_CREDENTIALS;
    sessions.push({
      sid: null,
      account,
      epoch,
      counter: 0,
      createdAt: now,
      usedAt: now,
      rotatedAt: null,
      expiresAt: now + Math.min(lifetimes.idleMs, lifetimes.maxAgeMs),
      isStored: true,
      hasFactor,
    });
    return { session: sessions.length - 1, counter: 0 };
  };

export const confirmPassword =
  (password: string): Step =>
  (state, request) => {
    const { exists, password: right, epoch, app } = accountOf(state, request);
    if (app && !callerOf(state, request).hasFactor) return FACTOR_NEEDED;
    if (!exists || password !== right) return WRONG_PASSWORD;
    request.checkedEpoch = epoch;
    return null;
  };

export const changePassword =
  (newPassword: string): Step =>
  (state, request) => {
    const account = accountOf(state, request);
    if (!account.exists || account.epoch !== request.checkedEpoch) return WRONG_PASSWORD;
    account.password = newPassword;
    account.epoch += 1;
    for (const session of sessionsOfCaller(state, request)) {
      if (session === callerOf(state, request)) session.epoch = account.epoch;
      else session.isStored = false;
    }
    return success('password changed successfully');
  };

export const deleteAccount: Step = (state, request) => {
  const account = accountOf(state, request);
  if (!account.exists || account.epoch !== request.checkedEpoch) return WRONG_PASSWORD;
  account.exists = false;
  account.app = null;
  for (const session of sessionsOfCaller(state, request)) session.isStored = false;
  return success('account deleted successfully', { cleared: [], passed: [], more: false });
};

export const signOut: Step = (state, request) => {
  callerOf(state, request).isStored = false;
  return success('signout success');
};

/** A session of an earlier epoch is invalid, but can be deleted until it expires. */
export const endOne =
  (index: number): Step =>
  (state, request) => {
    const session = at(state.sessions, index);
    const isTheirs = session.account === callerOf(state, request).account;
    if (!isTheirs || !isStoredAndUnexpired(state, session)) return NO_SESSION;
    session.isStored = false;
    return success('session ended successfully');
  };

export const endOthers: Step = (state, request) => {
  for (const session of sessionsOfCaller(state, request)) {
    if (session !== callerOf(state, request)) session.isStored = false;
  }
  return success('other sessions ended successfully');
};

export const listSessions =
  (userAgent: string): Step =>
  (state, request) => {
    const alive = sessionsOfCaller(state, request).filter((session) => isAlive(state, session));
    const views = alive.map((session) => ({
      _id: session.sid ?? '',
      createdAt: new Date(session.createdAt).toISOString(),
      usedAt: new Date(session.usedAt).toISOString(),
      userAgent,
      device: userAgent,
      network: '127.0.0.0/24',
      ...(session.hasFactor ? { factor: 'totp' } : {}),
      current: session === callerOf(state, request),
    }));
    const rank = ({ usedAt, _id }: (typeof views)[number]): string => usedAt + _id;
    return success(
      'success',
      views.sort((a, b) => (rank(a) < rank(b) ? 1 : -1)),
    );
  };

export const isOwnedByEnabled = ({ accounts }: State, { account }: PersonalToken): boolean => {
  const { exists, isEnabled } = at(accounts, account);
  return exists && isEnabled;
};

/** A valid token of a LEARNER on a route for admins: the roles guard refuses it with 403. */
export const probe: Step = () =>
  refusal(403, '10001', 'permission denied: does not have sufficient role');

/** Disabling ends all sessions. Enabling does not restore them. */
export const setEnabled =
  (index: number, isEnabled: boolean): Step =>
  ({ accounts }) => {
    const account = at(accounts, index);
    account.isEnabled = isEnabled;
    if (!isEnabled) account.epoch += 1;
    return success('success');
  };

export function callerOf(state: State, { caller = NaN }: RequestState): State['sessions'][number] {
  return at(state.sessions, caller);
}

export function accountOf(state: State, request: RequestState): State['accounts'][number] {
  return at(state.accounts, callerOf(state, request).account);
}

function sessionsOfCaller(state: State, request: RequestState): State['sessions'] {
  const { account } = callerOf(state, request);
  return state.sessions.filter((session) => session.account === account);
}
