import { reasonOf, wait } from './abort.ts';
import { NetworkError, PressroomError, refusal, type ErrorDetails } from './errors.ts';
import type { Answer, FieldProblem } from './types.ts';

/** Longest backoff before the first repetition in milliseconds; it doubles with each further repetition. */
const FIRST_BACKOFF_MS = 250;
/** Longest backoff before any repetition in milliseconds. */
const MAX_BACKOFF_MS = 5_000;

export interface TransportOptions {
  readonly fetch: typeof fetch;
  /** Largest number of repetitions of a request. */
  readonly retries: number;
  /**
   * Longest wait for a repetition in milliseconds. If the server asks for a longer wait, the call
   * fails at once.
   */
  readonly maxWaitMs: number;
}

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
  /** Whether sending the request twice has the effect of sending it once. */
  readonly isIdempotent: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the answer is the response itself, whose body the caller reads. */
  readonly isStream: boolean;
}

interface Envelope extends Omit<ErrorDetails, 'status'> {
  readonly message?: string;
  readonly data?: unknown;
  readonly warnings?: readonly FieldProblem[];
}

/** Sends requests, and repeats what may be repeated. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * @throws PressroomError when the last attempt fails
   * @throws the reason of the signal
   */
  async send(call: Call): Promise<Answer<unknown>> {
    const { retries, maxWaitMs } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(call);
      if (!(outcome instanceof PressroomError)) return outcome;
      outcome.attempts = attempt;
      const delay = delayAfter(outcome, attempt);
      if (attempt > retries || delay > maxWaitMs || !mayRepeat(call, outcome)) throw outcome;
      await wait(delay, call.signal);
    }
  }

  async #attempt({
    url,
    method,
    headers,
    body,
    signal,
    timeoutMs,
    isStream,
  }: Call): Promise<Answer<unknown> | PressroomError> {
    if (signal?.aborted) throw reasonOf(signal);
    // `AbortSignal.any` and `AbortSignal.timeout` are not used, because React Native lacks them.
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    signal?.addEventListener('abort', abort);
    let isLate = false;
    let isOpen = false;
    const timer = setTimeout(() => {
      isLate = true;
      abort();
    }, timeoutMs);
    try {
      const response = await this.#options.fetch(url, {
        method,
        headers,
        signal: controller.signal,
        ...(body === undefined ? {} : { body }),
      });
      // The signal goes on to end a stream that the caller reads.
      isOpen = isStream && response.ok;
      return isOpen ? streamOf(response) : readAnswer(response, await response.text());
    } catch (error) {
      if (signal?.aborted) throw reasonOf(signal);
      const problem = isLate ? ` within ${timeoutMs} ms` : `: ${messageOf(error)}`;
      return new NetworkError(`${method} ${url} was not answered${problem}`, error);
    } finally {
      clearTimeout(timer);
      if (!isOpen) signal?.removeEventListener('abort', abort);
    }
  }
}

function streamOf(response: Response): Answer<Response> {
  const { status, headers } = response;
  return { status, headers, data: response, warnings: [], etag: undefined };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws SyntaxError when the JSON is truncated */
function readAnswer(response: Response, text: string): Answer<unknown> | PressroomError {
  const { status, headers } = response;
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '') && text !== '';
  const envelope = isJson ? (JSON.parse(text) as Envelope) : undefined;
  if (!response.ok && status !== 304) {
    return refusal(envelope?.message ?? `The server answered with HTTP status ${status}.`, {
      status,
      headers,
      code: envelope?.code,
      reason: envelope?.reason,
      errors: envelope?.errors,
      retryAfter: secondsOf(headers.get('retry-after')),
    });
  }
  return {
    status,
    headers,
    // Some answers for programs are JSON without an envelope, and feeds are text.
    data: envelope && 'code' in envelope ? envelope.data : (envelope ?? text),
    warnings: envelope?.warnings ?? [],
    etag: headers.get('etag') ?? undefined,
  };
}

/** @param value value of `Retry-After`: seconds, or a date, which proxies send */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/**
 * Milliseconds to wait: `Retry-After` plus an exponential backoff. Up to half of the backoff is
 * random, so that clients do not all repeat their requests at the same moment.
 */
function delayAfter({ retryAfter = 0 }: PressroomError, attempt: number): number {
  const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  return retryAfter * 1_000 + (backoff * (1 + Math.random())) / 2;
}

/**
 * Whether a request may be repeated. A 429, and a 503 with a reason other than `outcome_unknown`,
 * had no effect. After any other failure the request may have had its effect, so that only an
 * idempotent request is repeated.
 */
function mayRepeat({ isIdempotent }: Call, { status, reason }: PressroomError): boolean {
  if (status === 429 || (status === 503 && reason && reason !== 'outcome_unknown')) return true;
  return isIdempotent && [0, 502, 503, 504].includes(status);
}
