import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;
/** A server that asks for more patience than this is not worth waiting for. */
const MAX_WAIT_S = 30;
const MAX_WAITS = 5;

/** Nothing answers, so nothing else can be tried. */
export class ServerUnreachableError extends Error {}

/** An answer that was not the expected one: it is recorded, and what builds on it is left out. */
export class UnexpectedAnswerError extends Error {}

/**
 * Calls the server with an API key, one request at a time, and times each. All over one connection,
 * and so from one process of a server that has several: a change shows at once there, and within a
 * second on the others. `fetch` takes two connections in turn.
 */
export class Client {
  #url;
  #request;
  #agent;
  #apiKey;
  #recorder;

  constructor({ url, apiKey, recorder }) {
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
    const answer = await this.#exchange(method, path, {
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        'x-api-key': this.#apiKey,
        ...(as ? { authorization: `Bearer ${as.accessToken}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    }).catch((error) => {
      throw new ServerUnreachableError(`${method} ${this.#url}${path}: ${error.message}`);
    });
    this.#recorder.time(step, performance.now() - startedAt);
    return { ...read(answer), etag: answer.headers.etag ?? null };
  }

  /** @returns `{status, headers, text}` of what came back */
  async #exchange(method, path, { body, headers }) {
    const request = this.#request(`${this.#url}${path}`, {
      method,
      headers,
      agent: this.#agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    request.end(body);
    const [response] = await once(request, 'response');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: await textOf(response),
    };
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
function read({ status, headers, text }) {
  const delay = status === 429 || status === 503 ? Number(headers['retry-after'] ?? 0) : null;
  const common = {
    status,
    retryAfter: delay === null || Number.isNaN(delay) ? null : delay,
    isExpired: status === 401 && headers.instruction === 'refresh_token',
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
