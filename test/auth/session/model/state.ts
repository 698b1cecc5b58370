/** The model: the accounts, sessions and tokens that there are, and their times. */

/** All in milliseconds. */
export interface Bounds {
  readonly accessMs: number;
  readonly idleMs: number;
  readonly maxAgeMs: number;
}

/** How long the answer to a refresh can be asked for again. */
export const GRACE_MS = 10_000;

export interface Account {
  readonly id: string;
  readonly email: string;
  password: string;
  /** Counts up with every change of password and whenever it is disabled. */
  epoch: number;
  isEnabled: boolean;
  exists: boolean;
}

export interface Session {
  /** null until the answer to the sign-in has named it. */
  sid: string | null;
  /** Index, as in all of the model: it is copied to try one order of events after the other. */
  readonly account: number;
  epoch: number;
  /** Of the refresh token that is good. */
  counter: number;
  readonly createdAt: number;
  usedAt: number;
  rotatedAt: number | null;
  expiresAt: number;
  /** False once it was ended. One that has expired or is of an earlier epoch may still be stored. */
  isStored: boolean;
}

export interface AccessToken {
  readonly text: string;
  readonly session: number;
  readonly kid: string;
  /** Seconds. */
  readonly exp: number;
}

export interface RefreshToken {
  readonly text: string;
  readonly session: number;
  readonly counter: number;
  readonly kid: string;
}

export interface State {
  readonly bounds: Bounds;
  now: number;
  readonly accounts: Account[];
  readonly sessions: Session[];
  /** Every one that was ever issued. */
  readonly accessTokens: AccessToken[];
  readonly refreshTokens: RefreshToken[];
  /** Ids of the present signing keys; the first signs. */
  keys: readonly string[];
}

export function copyOf(state: State): State {
  return {
    ...state,
    accounts: state.accounts.map((account) => ({ ...account })),
    sessions: state.sessions.map((session) => ({ ...session })),
    accessTokens: [...state.accessTokens],
    refreshTokens: [...state.refreshTokens],
  };
}

/** @throws Error a defect of the test */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`the model has no ${index}`);
  return item;
}

export function isStoredAndFresh({ now }: State, { isStored, expiresAt }: Session): boolean {
  return isStored && now < expiresAt;
}

/** Whether its tokens open anything. */
export function isAlive(state: State, session: Session): boolean {
  const { exists, isEnabled, epoch } = at(state.accounts, session.account);
  return isStoredAndFresh(state, session) && exists && isEnabled && session.epoch === epoch;
}
