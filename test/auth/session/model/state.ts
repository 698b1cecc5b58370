/** The state of the model (docs/adr/0004). */

/** The configured lifetimes of access tokens and sessions, in milliseconds. */
export interface Lifetimes {
  readonly accessMs: number;
  readonly idleMs: number;
  readonly maxAgeMs: number;
}

/** How long a refresh can be repeated with the same token, in milliseconds. */
export const GRACE_MS = 10_000;

export interface Account {
  readonly id: string;
  readonly email: string;
  password: string;
  /** Incremented by each change of password and each time the account is disabled. */
  epoch: number;
  isEnabled: boolean;
  exists: boolean;
  /** The app for codes that is enrolled. */
  app: App | null;
}

export interface App {
  readonly secret: string | undefined;
  /** The signing key that seals the secret on the server. */
  readonly kid: string;
  /** The time step of the last code that was used. */
  lastStep: number;
}

export interface Session {
  /** null until the response to the sign-in contains it. */
  sid: string | null;
  /** An index, so that the model can be copied to try several orders of events. */
  readonly account: number;
  epoch: number;
  /** Counter of the current refresh token. */
  counter: number;
  readonly createdAt: number;
  usedAt: number;
  rotatedAt: number | null;
  expiresAt: number;
  /** False after the session was ended. An expired session, or one of an earlier epoch, may still be stored. */
  isStored: boolean;
  /** Whether a code of the app was proved in it. */
  hasFactor: boolean;
}

export interface PersonalToken {
  readonly id: string;
  readonly text: string;
  readonly account: number;
  readonly expiresAt: number;
  isStored: boolean;
}

export interface AccessToken {
  readonly text: string;
  readonly session: number;
  readonly kid: string;
  /** Expiry in seconds since 1970. */
  readonly exp: number;
}

export interface RefreshToken {
  readonly text: string;
  readonly session: number;
  readonly counter: number;
  readonly kid: string;
}

export interface State {
  readonly lifetimes: Lifetimes;
  now: number;
  readonly accounts: Account[];
  readonly sessions: Session[];
  /** All access tokens that were issued, valid or not. */
  readonly accessTokens: AccessToken[];
  /** All refresh tokens that were issued, valid or not. */
  readonly refreshTokens: RefreshToken[];
  readonly personalTokens: PersonalToken[];
  /** Ids of the configured signing keys; the first one signs. */
  keys: readonly string[];
}

export function copyOf(state: State): State {
  return {
    ...state,
    accounts: state.accounts.map((account) => ({
      ...account,
      app: account.app && { ...account.app },
    })),
    sessions: state.sessions.map((session) => ({ ...session })),
    accessTokens: [...state.accessTokens],
    refreshTokens: [...state.refreshTokens],
    personalTokens: state.personalTokens.map((token) => ({ ...token })),
  };
}

/** @throws Error if there is no such item, which is a defect of the test */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`the model has no item ${index}`);
  return item;
}

export function isStoredAndUnexpired({ now }: State, { isStored, expiresAt }: Session): boolean {
  return isStored && now < expiresAt;
}

/** Whether the access tokens of the session are valid. */
export function isAlive(state: State, session: Session): boolean {
  const { exists, isEnabled, epoch } = at(state.accounts, session.account);
  return isStoredAndUnexpired(state, session) && exists && isEnabled && session.epoch === epoch;
}
