import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../support/user-error.ts';
import type { Recorder } from './recorder.ts';

const TIMEOUT_MS = 30_000;
/** The longest wait after a response with `Retry-After`, in seconds. */
const MAX_WAIT_S = 30;
const MAX_WAITS = 5;
/** Answers outside the envelope. */
const DOCUMENT_TYPE = /^application\/(?:(?:rss|atom|feed)\+(?:xml|json)|xml);/;

/** The server cannot be reached, so the run ends. */
export class ServerUnreachableError extends Error {}

/** An unexpected response. It was recorded; the steps that depend on it are left out. */
export class UnexpectedAnswerError extends Error {}

export interface Run {
  readonly client: Client;
  readonly recorder: Recorder;
}

/** The tokens of a signed-in person. The client replaces them when they expire. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

interface RequestOptions {
  /** The caller's tokens. */
  readonly as?: Tokens | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallOptions extends RequestOptions {
  /** The status that counts as passed; default 200. */
  readonly expect?: number;
  /** Another status that is no failure; the caller handles it. */
  readonly alsoAllow?: number | undefined;
}

export interface Answer<Data> {
  readonly status: number;
  readonly message: string;
  /** Undefined unless the status is 200; the whole text of a feed or a sitemap. */
  readonly data: Data;
  readonly etag: string;
  /** Where a redirect leads to, relative to the path; '' for any other answer. */
  readonly location: string;
  /** The `Retry-After` of a 429 or a 503, in seconds. */
  readonly retryAfter: number | null;
  readonly isExpired: boolean;
  /** What is wrong with the envelope; null when nothing is. */
  readonly envelopeError: string | null;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

type Envelope = Partial<Record<'status' | 'code' | 'message' | 'data', unknown>>;

/**
 * Sends requests with an API key, one at a time, and measures their times. It uses one connection, and
 * so one worker of the server: that worker shows a change at once, the others within a second. `fetch`
 * would use two connections in turn.
 */
export class Client {
  readonly #url: string;
  readonly #request: typeof http.request;
  readonly #agent: http.Agent;
  readonly #apiKey: string;
  readonly #recorder: Recorder;

  constructor({ url, apiKey, recorder }: { url: string; apiKey: string; recorder: Recorder }) {
    this.#url = url;
    const { Agent, request } = new URL(url).protocol === 'https:' ? https : http;
    this.#request = request;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
    this.#apiKey = apiKey;
    this.#recorder = recorder;
  }

  /**
   * Sends a request and checks the status and the envelope of the answer.
   *
   * @param step the row of the report in which the request counts
   * @throws UnexpectedAnswerError after recording the failure
   */
  async call<Data>(
    step: string,
    method: string,
    path: string,
    { expect = 200, alsoAllow, ...options }: CallOptions = {},
  ): Promise<Answer<Data>> {
    let answer = await this.#send<Data>(step, method, path, options);
    for (let waits = 0; answer.retryAfter !== null && waits < MAX_WAITS; waits += 1) {
      await wait(Math.min(answer.retryAfter, MAX_WAIT_S) * 1_000);
      answer = await this.#send(step, method, path, options);
    }
    if (answer.isExpired && options.as) {
      await this.#refresh(options.as);
      answer = await this.#send(step, method, path, options);
    }
    const { status, message, envelopeError } = answer;
    if (envelopeError === null && status === alsoAllow) return answer;
    const isExpected = envelopeError === null && status === expect;
    const summary = `${method} ${path} answered ${status} "${message}", expected ${expect}`;
    if (
      !this.#recorder.check(
        step,
        isExpected,
        envelopeError ? `${summary}: ${envelopeError}` : summary,
      )
    ) {
      throw new UnexpectedAnswerError(summary);
    }
    return answer;
  }

  async #send<Data>(
    step: string,
    method: string,
    path: string,
    { as, body, headers = {} }: RequestOptions,
  ): Promise<Answer<Data>> {
    const startedAt = performance.now();
    const answer = await this.#exchange(method, path, body && JSON.stringify(body), {
      'x-api-key': this.#apiKey,
      ...(as ? { authorization: `Bearer ${as.accessToken}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    }).catch((error: unknown) => {
      throw new ServerUnreachableError(`${method} ${this.#url}${path}: ${messageOf(error)}`);
    });
    this.#recorder.time(step, performance.now() - startedAt);
    return parseAnswer(answer);
  }

  async #exchange(
    method: string,
    path: string,
    body: string | undefined,
    headers: http.OutgoingHttpHeaders,
  ): Promise<RawAnswer> {
    const request = this.#request(`${this.#url}${path}`, {
      method,
      headers,
      agent: this.#agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: await textOf(response),
    };
  }

  async #refresh(tokens: Tokens): Promise<void> {
    const { data } = await this.call<Tokens>('refresh', 'POST', '/auth/refresh', {
      headers: { authorization: `Bearer ${tokens.accessToken}` },
      body: { refresh_token: tokens.refreshToken },
    });
    Object.assign(tokens, data);
  }
}

/** Parses the envelope. */
function parseAnswer<Data>({ status, headers, text }: RawAnswer): Answer<Data> {
  const delay = status === 429 || status === 503 ? Number(headers['retry-after'] ?? 0) : null;
  const answer = {
    status,
    etag: headers.etag ?? '',
    location: headers.location ?? '',
    retryAfter: delay === null || Number.isNaN(delay) ? null : delay,
    isExpired: status === 401 && headers['instruction'] === 'refresh_token',
    data: undefined as Data,
  };
  if (status === 200 && DOCUMENT_TYPE.test(headers['content-type'] ?? '')) {
    return { ...answer, message: '', data: text as Data, envelopeError: null };
  }
  if (status === 304)
    return { ...answer, message: '', envelopeError: text === '' ? null : 'has a body' };
  try {
    const envelope = JSON.parse(text) as Envelope;
    const { message, data } = envelope as { message: string; data: Data };
    return { ...answer, message, data, envelopeError: envelopeErrorOf(envelope, status) };
  } catch {
    return { ...answer, message: text.slice(0, 80), envelopeError: 'is no JSON' };
  }
}

function envelopeErrorOf(envelope: Envelope, status: number): string | null {
  const isSuccess = status === 200;
  if (envelope.status !== status) return `envelope says ${String(envelope.status)}`;
  if ((envelope.code === '10000') !== isSuccess)
    return `envelope has code ${String(envelope.code)}`;
  if (typeof envelope.message !== 'string') return 'envelope has no message';
  if (!isSuccess && 'data' in envelope) return 'an error carries data';
  return null;
}
