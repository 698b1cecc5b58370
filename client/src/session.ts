import { UnauthorizedError } from './errors.ts';

/** A storage for the tokens. `localStorage` and React Native's `AsyncStorage` have this form. */
export interface TokenStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface Session extends Tokens {
  readonly userId: string;
}

interface SessionOptions {
  readonly storage: TokenStorage;
  readonly storageKey: string;
  /** Exchanges the tokens; may be called again with the same tokens. */
  readonly refresh: (tokens: Tokens) => Promise<Tokens>;
  readonly onSignedOut: () => void;
}

/** Keeps the tokens of the signed-in user, in a storage that several tabs may share. */
export class SessionKeeper {
  readonly #options: SessionOptions;
  #known: Promise<Session | null> | undefined;
  #renewal: Promise<Session | null> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The session that this process knows; the first call reads it from the storage. */
  current(): Promise<Session | null> {
    this.#known ??= this.#read();
    return this.#known;
  }

  async keep(session: Session): Promise<void> {
    const { storage, storageKey } = this.#options;
    await storage.setItem(storageKey, JSON.stringify(session));
    this.#known = Promise.resolve(session);
  }

  async forget(): Promise<void> {
    const { storage, storageKey } = this.#options;
    await storage.removeItem(storageKey);
    this.#known = Promise.resolve(null);
  }

  /**
   * Finds a session to use instead of one whose access token was refused. Concurrent callers share
   * one refresh.
   *
   * @param isExpired whether a refresh helps; if not, the session has ended
   * @returns null when nobody is signed in any more
   */
  renew(refused: Session, isExpired: boolean): Promise<Session | null> {
    this.#renewal ??= this.#renew(refused, isExpired).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(refused: Session, isExpired: boolean): Promise<Session | null> {
    const isStored = async (): Promise<boolean> =>
      (await this.#reread())?.accessToken === refused.accessToken;
    // If the stored tokens differ, another call or tab has refreshed them, signed out or signed in.
    if (!(await isStored())) return this.current();
    const tokens = isExpired ? await this.#refresh(refused) : null;
    // Another call or tab may have changed the stored tokens during the refresh.
    if (!(await isStored())) return this.current();
    if (tokens) await this.keep({ userId: refused.userId, ...tokens });
    else {
      await this.forget();
      this.#options.onSignedOut();
    }
    return this.current();
  }

  /** @returns null when the session has ended */
  async #refresh(tokens: Tokens): Promise<Tokens | null> {
    try {
      return await this.#options.refresh(tokens);
    } catch (error) {
      if (error instanceof UnauthorizedError) return null;
      throw error;
    }
  }

  #reread(): Promise<Session | null> {
    this.#known = this.#read();
    return this.#known;
  }

  async #read(): Promise<Session | null> {
    const { storage, storageKey } = this.#options;
    const stored = await storage.getItem(storageKey);
    try {
      return stored === null ? null : (JSON.parse(stored) as Session);
    } catch {
      return null;
    }
  }
}

/** Keeps the tokens as long as the program runs. */
export function memoryStorage(): TokenStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
