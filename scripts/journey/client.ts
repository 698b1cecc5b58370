import {
  createClient,
  NetworkError,
  PressroomError,
  type Data,
  type Item,
  type ListPath,
  type Method,
  type Options,
  type OptionsArgument,
  type PathOf,
  type PressroomClient,
  type SignedInUser,
} from '../../client/src/index.ts';
import { oneConnection } from '../support/network/one-connection.ts';
import type { Recorder } from './recorder.ts';

/** Matches the media types of responses that have no envelope. */
const DOCUMENT_TYPE = /^application\/(?:(?:rss|atom|feed)\+(?:xml|json)|xml);/;

/** The server cannot be reached, so the run ends. */
export class ServerUnreachableError extends Error {}

/** The response was unexpected. The failure is recorded already; the caller skips the steps that need this response. */
export class UnexpectedAnswerError extends Error {}

export interface Run {
  readonly client: Client;
  readonly recorder: Recorder;
}

interface Expectation {
  /** The client that sends the request; one without a session if left out. */
  readonly as?: PressroomClient;
  /** The status that counts as passed; default 200. */
  readonly expect?: number;
  /** Another status that is no failure. The calling code must handle it. */
  readonly alsoAllow?: number | undefined;
}

type CallOptions<M extends Method, P extends PathOf<M>> = Options<M, P> & Expectation;

type CallArgument<M extends Method, P extends PathOf<M>> =
  Expectation extends CallOptions<M, P>
    ? [options?: CallOptions<M, P>]
    : [options: CallOptions<M, P>];

export interface Answer<Data> {
  readonly status: number;
  readonly message: string;
  /** The data of the answer; undefined unless the status is 200. */
  readonly data: Data;
  readonly etag: string | undefined;
  /** The header `Location` of a redirect, relative to the path of the request. */
  readonly location: string | null;
}

type Envelope = Partial<Record<'status' | 'code' | 'message' | 'data', unknown>>;

/**
 * Calls the server through `@pressroom/client`, one request at a time. It measures the requests, and checks the
 * envelopes, which that client hides.
 */
export class Client {
  readonly #options: { readonly url: string; readonly apiKey: string };
  readonly #recorder: Recorder;
  readonly #connection: typeof fetch;
  readonly #nobody: PressroomClient;
  /** The row of the report in which requests count now. */
  #step = '';
  /** The problem of the envelope of the last response; null if there is none. */
  #envelopeError: string | null = null;

  constructor({ url, apiKey, recorder }: { url: string; apiKey: string; recorder: Recorder }) {
    this.#options = { url, apiKey };
    this.#recorder = recorder;
    this.#connection = oneConnection(url);
    this.#nobody = this.newClient();
  }

  /** Makes a client without a session, for another user. */
  newClient(): PressroomClient {
    const measured: typeof fetch = (...request) => this.#fetch(...request);
    return createClient({ ...this.#options, fetch: measured });
  }

  /**
   * Sends a request and checks the status and the envelope of the answer.
   *
   * @param step the row of the report in which the request counts
   * @throws UnexpectedAnswerError after recording the failure
   */
  async call<M extends Method, P extends PathOf<M>>(
    step: string,
    method: M,
    path: P,
    ...[options]: CallArgument<M, P>
  ): Promise<Answer<Data<M, P>>> {
    const { as = this.#nobody, expect = 200, alsoAllow, ...inputs }: Expectation = options ?? {};
    const given = [inputs] as unknown as OptionsArgument<M, P>;
    const outcome = await this.#perform(step, () => as.request(method, path, ...given));
    const { status } = outcome;
    const message = outcome instanceof PressroomError ? outcome.message : '';
    if (status !== alsoAllow || this.#envelopeError !== null) {
      const summary = `${method} ${path} answered ${status} "${message}", expected ${expect}`;
      this.#check(step, status === expect, summary);
    }
    const location = outcome.headers?.get('location') ?? null;
    if (!(outcome instanceof PressroomError)) return { ...outcome, message, location };
    return { status, message, location, data: undefined as Data<M, P>, etag: undefined };
  }

  /**
   * Yields every item of a list, page by page.
   *
   * @throws UnexpectedAnswerError after recording the failure
   */
  async *list<P extends ListPath>(
    step: string,
    path: P,
    ...options: OptionsArgument<'GET', P>
  ): AsyncGenerator<Item<P>, void, undefined> {
    const items = this.#nobody.list(path, ...options);
    for (;;) {
      const next = await this.#perform(step, () => items.next());
      if (next instanceof PressroomError)
        return this.#check(step, false, `${path}: ${next.message}`);
      if (next.done) return;
      yield next.value;
    }
  }

  /** Fetches a picture as a browser does, without a key, and checks the status and the media type of the answer. */
  async checkPicture(step: string, address: string, expect: 200 | 404): Promise<void> {
    const { pathname, search } = new URL(address, this.#options.url);
    this.#step = step;
    const startedAt = performance.now();
    const { status, headers } = await this.#connection(this.#options.url + pathname + search);
    this.#recorder.time(step, performance.now() - startedAt);
    const isPicture = headers.get('content-type')?.startsWith('image/') === true;
    const isRight = status === expect && isPicture === (expect === 200);
    this.#recorder.check(step, isRight, `${pathname} answered ${status}, expected ${expect}`);
  }

  /**
   * Opens a session, and checks that it succeeds.
   *
   * @throws UnexpectedAnswerError after recording the failure
   */
  async signIn(step: string, open: () => Promise<SignedInUser>): Promise<SignedInUser> {
    const outcome = await this.#perform(step, open);
    const isRefused = outcome instanceof PressroomError;
    this.#check(step, !isRefused, isRefused ? `${outcome.status} "${outcome.message}"` : '');
    return outcome as SignedInUser;
  }

  async #perform<Result>(
    step: string,
    call: () => Promise<Result>,
  ): Promise<Result | PressroomError> {
    this.#step = step;
    this.#envelopeError = null;
    try {
      return await call();
    } catch (error) {
      if (error instanceof NetworkError) throw new ServerUnreachableError(error.message);
      if (error instanceof PressroomError) return error;
      throw error;
    }
  }

  #check(step: string, isExpected: boolean, summary: string): void {
    const problem = this.#envelopeError;
    const failure = problem ? `${summary}: ${problem}` : summary;
    if (!this.#recorder.check(step, isExpected && problem === null, failure)) {
      throw new UnexpectedAnswerError(failure);
    }
  }

  async #fetch(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
    const startedAt = performance.now();
    const response = await this.#connection(url, init);
    const step = (url as string).endsWith('/auth/refresh') ? 'refresh' : this.#step;
    this.#recorder.time(step, performance.now() - startedAt);
    this.#envelopeError = envelopeErrorOf(response, await response.clone().text());
    return response;
  }
}

function envelopeErrorOf({ status, headers }: Response, text: string): string | null {
  if (status === 200 && DOCUMENT_TYPE.test(headers.get('content-type') ?? '')) return null;
  if (status === 304) return text === '' ? null : 'has a body';
  const envelope = parsed(text);
  if (!envelope) return 'is no JSON';
  const isSuccess = status === 200;
  if (envelope.status !== status) return `envelope says ${String(envelope.status)}`;
  if ((envelope.code === '10000') !== isSuccess) {
    return `envelope has code ${String(envelope.code)}`;
  }
  if (typeof envelope.message !== 'string') return 'envelope has no message';
  if (!isSuccess && 'data' in envelope) return 'an error carries data';
  return null;
}

function parsed(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return null;
  }
}
