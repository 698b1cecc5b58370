import { setTimeout as wait } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;
/** A server that asks for more patience than this is not worth waiting for. */
const MAX_WAIT_S = 30;
const MAX_WAITS = 5;

/** Nothing answers, so nothing else can be tried. */
export class ServerUnreachableError extends Error {}

/** An answer that was not the expected one: it is recorded, and what builds on it is left out. */
export class UnexpectedAnswerError extends Error {}

/** Calls the server with an API key, one request at a time, and times each. */
export class Client {
  #url;
  #apiKey;
  #recorder;

  constructor({ url, apiKey, recorder }) {
    this.#url = url;
    this.#apiKey = apiKey;
    this.#recorder = recorder;
  }

  /**
   * Sends a request and checks the status and the envelope of the answer.
   *
   * @param step the line of the table it counts under
   * @param as `{accessToken, refreshToken}` of whoever calls; an expired pair is renewed in place
   * @param also another status that the caller can deal with
   * @returns `{status, message, data, etag}`
   * @throws UnexpectedAnswerError after recording the failure
   */
  async call(step, method, path, { as, body, headers = {}, expect = 200, also } = {}) {
    let answer = await this.#send(step, method, path, { as, body, headers });
    for (let waits = 0; answer.retryAfter !== null && waits < MAX_WAITS; waits += 1) {
      await wait(Math.min(answer.retryAfter, MAX_WAIT_S) * 1_000);
      answer = await this.#send(step, method, path, { as, body, headers });
    }
    if (answer.isExpired && as) {
      await this.#refresh(as);
      answer = await this.#send(step, method, path, { as, body, headers });
    }
    const { status, message, problem } = answer;
    if (problem === null && also !== undefined && status === also) return answer;
    const isExpected = problem === null && status === expect;
    const what = `${method} ${path} answered ${status} "${message}", expected ${expect}`;
    if (!this.#recorder.check(step, isExpected, problem ? `${what}: ${problem}` : what)) {
      throw new UnexpectedAnswerError(what);
    }
    return answer;
  }

  async #send(step, method, path, { as, body, headers }) {
    const startedAt = performance.now();
    let response, text;
    try {
      response = await fetch(`${this.#url}${path}`, {
        method,
        headers: {
          'x-api-key': this.#apiKey,
          ...(as ? { authorization: `Bearer ${as.accessToken}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (error) {
      const cause = error.cause?.message ?? error.message;
      throw new ServerUnreachableError(`${method} ${this.#url}${path}: ${cause}`);
    }
    this.#recorder.time(step, performance.now() - startedAt);
    return { ...read(response, text), etag: response.headers.get('etag') };
  }

  async #refresh(session) {
    const { data } = await this.call('refresh', 'POST', '/auth/refresh', {
      headers: { authorization: `Bearer ${session.accessToken}` },
      body: { refresh_token: session.refreshToken },
    });
    Object.assign(session, data);
  }
}

/** Takes the envelope apart. `problem` says what is wrong with its form, null when nothing is. */
function read(response, text) {
  const { status, headers } = response;
  const delay = status === 429 || status === 503 ? Number(headers.get('retry-after')) : null;
  const common = {
    status,
    retryAfter: delay === null || Number.isNaN(delay) ? null : delay,
    isExpired: status === 401 && headers.get('instruction') === 'refresh_token',
  };
  if (status === 304) return { ...common, message: '', problem: text === '' ? null : 'has a body' };
  try {
    const envelope = JSON.parse(text);
    return { ...common, ...envelope, status, problem: problemOf(envelope, status) };
  } catch {
    return { ...common, message: text.slice(0, 80), problem: 'is no JSON' };
  }
}

function problemOf(envelope, status) {
  const isSuccess = status === 200;
  if (envelope.status !== status) return `envelope says ${envelope.status}`;
  if ((envelope.code === '10000') !== isSuccess) return `envelope has code ${envelope.code}`;
  if (typeof envelope.message !== 'string') return 'envelope has no message';
  if (!isSuccess && 'data' in envelope) return 'an error carries data';
  return null;
}
