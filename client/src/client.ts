import { orAborted } from './abort.ts';
import { UnauthorizedError } from './errors.ts';
import { KEYED_PATHS, LINKED_LISTS } from './paths.ts';
import { memoryStorage, SessionKeeper, type Session, type TokenStorage } from './session.ts';
import { Transport } from './transport.ts';
import type {
  Answer,
  CallOptions,
  Data,
  Item,
  ListPath,
  Method,
  Options,
  OptionsArgument,
  PasskeyOptions,
  PathOf,
} from './types.ts';

const TIMEOUT_MS = 30_000;
/**
 * Timeout of a refresh in milliseconds. It is shorter than the grace period of the refresh token
 * (10 s), so that a refresh that got no answer is repeated in time.
 */
const REFRESH_TIMEOUT_MS = 8_000;
const SIGN_IN = '/auth/signin/basic';
const SIGN_IN_BY_PASSKEY = '/auth/signin/passkey';
const SIGN_UP = '/auth/signup/basic';
const REFRESH = '/auth/refresh';

export interface ClientOptions {
  /** URL of the server, without a path of the API. */
  readonly url: string;
  readonly apiKey: string;
  /** A personal access token, by which a program acts for a user. With it, the client uses no session. */
  readonly token?: string;
  /** Storage of the tokens; in memory when left out. */
  readonly storage?: TokenStorage;
  /** The key of the tokens in the storage; `pressroom` when left out. */
  readonly storageKey?: string;
  /** Called when a session ends without a call of `signOut`. */
  readonly onSignedOut?: () => void;
  /** Timeout of one attempt in milliseconds; 30,000 when left out. */
  readonly timeoutMs?: number;
  /** Largest number of repetitions of a request; 3 when left out. */
  readonly retries?: number;
  /** Longest wait for a repetition in milliseconds; 30,000 when left out. */
  readonly maxWaitMs?: number;
  /** Function that is called instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The options of a call, without the types of its operation. */
interface Inputs extends Omit<CallOptions, 'idempotencyKey'> {
  readonly idempotencyKey?: string | undefined;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
  readonly isStream?: boolean;
}

type SessionPath = typeof SIGN_IN | typeof SIGN_IN_BY_PASSKEY | typeof SIGN_UP;

export type SignedInUser = Data<'POST', typeof SIGN_IN>['user'];

/** Calls one server, as the signed-in user if there is one. */
export class PressroomClient {
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #sessions: SessionKeeper;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#transport = new Transport({
      fetch: options.fetch ?? ((...args) => fetch(...args)),
      retries: options.retries ?? 3,
      maxWaitMs: options.maxWaitMs ?? 30_000,
    });
    this.#sessions = new SessionKeeper({
      storage: options.storage ?? memoryStorage(),
      storageKey: options.storageKey ?? 'pressroom',
      onSignedOut: () => options.onSignedOut?.(),
      refresh: async (tokens) => {
        const body = { refresh_token: tokens.refreshToken };
        const answer = await this.#send('POST', REFRESH, { body }, tokens);
        return answer.data as Data<'POST', typeof REFRESH>;
      },
    });
  }

  /** Opens an account and signs in. */
  async signUp({
    signal,
    ...body
  }: Options<'POST', typeof SIGN_UP>['body'] & CallOptions): Promise<SignedInUser> {
    return this.#openSession(SIGN_UP, { body, signal });
  }

  async signIn({
    signal,
    ...body
  }: Options<'POST', typeof SIGN_IN>['body'] & CallOptions): Promise<SignedInUser> {
    return this.#openSession(SIGN_IN, { body, signal });
  }

  /**
   * Signs in without a password.
   *
   * @param ask asks the browser for a passkey, by `navigator.credentials.get` with these options as JSON
   */
  async signInByPasskey(
    ask: (options: PasskeyOptions) => Promise<unknown>,
    { signal }: CallOptions = {},
  ): Promise<SignedInUser> {
    const { options } = await this.post('/auth/passkeys/options', { signal });
    const response = JSON.stringify(await ask(options as PasskeyOptions));
    return this.#openSession(SIGN_IN_BY_PASSKEY, { body: { response }, signal });
  }

  /** Ends the session; the tokens are forgotten even if the server cannot be reached. */
  async signOut({ signal }: CallOptions = {}): Promise<void> {
    try {
      if (await this.isSignedIn()) await this.delete('/auth/signout', { signal });
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
    } finally {
      await this.#sessions.forget();
    }
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.#sessions.current()) !== null;
  }

  /**
   * Calls an operation.
   *
   * @returns `data` with the other information of the answer
   * @throws PressroomError
   * @throws the reason of `signal`
   */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[options]: OptionsArgument<M, P>
  ): Promise<Answer<Data<M, P>>> {
    const inputs: Inputs = options ?? {};
    const isKeyed = method === 'POST' && path in KEYED_PATHS;
    // One key serves all attempts, including one after a refresh of the tokens.
    const idempotencyKey = isKeyed ? (inputs.idempotencyKey ?? newKey()) : undefined;
    const call = this.#call(method, fill(path, inputs), { ...inputs, idempotencyKey });
    return call as Promise<Answer<Data<M, P>>>;
  }

  async get<P extends PathOf<'GET'>>(
    path: P,
    ...options: OptionsArgument<'GET', P>
  ): Promise<Data<'GET', P>> {
    return (await this.request('GET', path, ...options)).data;
  }

  async post<P extends PathOf<'POST'>>(
    path: P,
    ...options: OptionsArgument<'POST', P>
  ): Promise<Data<'POST', P>> {
    return (await this.request('POST', path, ...options)).data;
  }

  async put<P extends PathOf<'PUT'>>(
    path: P,
    ...options: OptionsArgument<'PUT', P>
  ): Promise<Data<'PUT', P>> {
    return (await this.request('PUT', path, ...options)).data;
  }

  async delete<P extends PathOf<'DELETE'>>(
    path: P,
    ...options: OptionsArgument<'DELETE', P>
  ): Promise<Data<'DELETE', P>> {
    return (await this.request('DELETE', path, ...options)).data;
  }

  /** @returns undefined if the record has not changed since it was read with this `etag` */
  async getIfChanged<P extends PathOf<'GET'>>(
    path: P,
    etag: string | undefined,
    ...[options]: OptionsArgument<'GET', P>
  ): Promise<Answer<Data<'GET', P>> | undefined> {
    const inputs: Inputs = options ?? {};
    const headers = { ...inputs.headers, ...(etag ? { 'if-none-match': etag } : {}) };
    const answer = await this.#call('GET', fill(path, inputs), { ...inputs, headers });
    return answer.status === 304 ? undefined : (answer as Answer<Data<'GET', P>>);
  }

  /** Yields the items of all pages of a list; `limit` is the length of a page. */
  async *list<P extends ListPath>(
    path: P,
    ...[options]: OptionsArgument<'GET', P>
  ): AsyncGenerator<Item<P>, void, undefined> {
    const inputs: Inputs = options ?? {};
    let target = fill(path, inputs);
    for (let page = Number(inputs.query?.['page'] ?? 1); ;) {
      const { data, headers } = await this.#call('GET', target, inputs);
      const items = data as Item<P>[];
      yield* items;
      // A proxy may have changed the path, so only the query of the link counts.
      const [, next] = /<[^>?]*(\?[^>]*)>; *rel="next"/.exec(headers.get('link') ?? '') ?? [];
      if (next) target = target.replace(/\?.*|$/, next);
      else if (path in LINKED_LISTS || items.length === 0) return;
      else target = fill(path, { ...inputs, query: { ...inputs.query, page: (page += 1) } });
    }
  }

  /**
   * Opens a stream; its body is not read. `followNotices` of `@pressroom/client/notices` reads it.
   *
   * @throws PressroomError
   */
  async openStream(path: '/notices/stream', options: CallOptions = {}): Promise<Response> {
    const { data } = await this.#call('GET', path, { ...options, isStream: true });
    return data as Response;
  }

  async #openSession(path: SessionPath, inputs: Inputs): Promise<SignedInUser> {
    const { data } = await this.#send('POST', path, inputs, null);
    const { user, tokens } = data as Data<'POST', typeof SIGN_IN>;
    await this.#sessions.keep({ userId: user._id, ...tokens });
    return user;
  }

  /** Sends a request as the signed-in user. If the access token is refused, sends it again with new tokens. */
  async #call(method: Method, target: string, inputs: Inputs = {}): Promise<Answer<unknown>> {
    const { token } = this.#options;
    if (token !== undefined) return this.#send(method, target, inputs, { accessToken: token });
    const session = await this.#sessions.current();
    try {
      return await this.#send(method, target, inputs, session);
    } catch (error) {
      if (!session || !isTokenRefused(error)) throw error;
      const isExpired = error.headers?.get('instruction') === 'refresh_token';
      const renewed = await orAborted(inputs.signal, this.#sessions.renew(session, isExpired));
      // If another user has signed in meanwhile in another tab, this request must not be sent as
      // that user.
      if (renewed?.userId !== session.userId) throw error;
      return this.#send(method, target, inputs, renewed);
    }
  }

  #send(
    method: Method,
    target: string,
    { body, ifMatch, headers, idempotencyKey, signal, isStream = false }: Inputs,
    tokens: Pick<Session, 'accessToken'> | null,
  ): Promise<Answer<unknown>> {
    const { url, apiKey, timeoutMs = TIMEOUT_MS } = this.#options;
    const isRefresh = target === REFRESH;
    // Not every runtime that has `fetch` has forms.
    const isForm = typeof FormData === 'function' && body instanceof FormData;
    return this.#transport.send({
      method,
      url: url.replace(/\/+$/, '') + target,
      headers: {
        'x-api-key': apiKey,
        ...(tokens ? { authorization: `Bearer ${tokens.accessToken}` } : {}),
        // `fetch` writes the type of a form, with its boundary.
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      body: body === undefined || isForm ? body : JSON.stringify(body),
      isIdempotent: method !== 'POST' || idempotencyKey !== undefined || isRefresh,
      timeoutMs: isRefresh ? Math.min(timeoutMs, REFRESH_TIMEOUT_MS) : timeoutMs,
      signal,
      isStream,
    });
  }
}

export function createClient(options: ClientOptions): PressroomClient {
  return new PressroomClient(options);
}

/** Whether the code is 10003: the access token is missing or no longer valid. A wrong password has another code. */
function isTokenRefused(error: unknown): error is UnauthorizedError {
  return error instanceof UnauthorizedError && error.code === '10003';
}

/** @returns the path with its parameters filled in, followed by the query */
function fill(template: string, { path = {}, query = {} }: Inputs = {}): string {
  const text = (value: unknown): string => encodeURIComponent(String(value));
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => text(path[name]));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => `${text(name)}=${text(value)}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** A new idempotency key. React Native, and pages without TLS, lack `crypto.randomUUID`. */
function newKey(): string {
  const digits = (): string => Math.random().toString(16).slice(2);
  return globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(16)}-${digits()}${digits()}`;
}
