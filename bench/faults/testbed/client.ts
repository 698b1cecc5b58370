import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { messageOf } from '../../../scripts/support/user-error.ts';
import { Connections } from '../../load/connections.ts';

const CONNECTIONS = 64;
const DEADLINE_MS = 15_000;
/**
 * Milliseconds after which an impatient client closes its connection. Most answers take longer, so the outcome of
 * these requests is unknown.
 */
const IMPATIENT_MS = 8;
/**
 * Milliseconds between two attempts. It is shorter than `Retry-After`, so that clients notice the end of a fault at
 * once.
 */
const PAUSE_MS = 100;
/** Marks complaints about answers of the balancer itself. */
export const BY_BALANCER = 'of the balancer';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly code: string;
  readonly reason: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a client knows after a request. With `lost`, either the request was never sent or its answer was lost. */
export type Outcome = { readonly at: number } & (
  ({ readonly kind: 'answered' } & Answered) | { readonly kind: 'lost'; readonly why: string }
);

export interface Acknowledged {
  readonly time: string;
  /** Id of the record in the answer. */
  readonly id: string;
  /** Method, server and path. */
  readonly what: string;
}

/** The observations of all clients of a run. */
export class Ledger {
  /** Each write that was answered 2xx. */
  readonly acknowledged: Acknowledged[] = [];
  /** Answers from 500 on, except 503 with `Retry-After`; and lost answers, unless `mayLose`. Each with its time. */
  readonly complaints: string[] = [];
  /** Number of answers by status; under `lost`, the number of lost answers. */
  readonly statuses = new Map<string, number>();
  /** Whether answers may be lost, because a server was ended or the clients drop answers. */
  mayLose = false;
}

/** A client of one server or of the balancer. It does not repeat requests by itself. */
export class Client {
  /** Whether the client waits for the answer to a write for IMPATIENT_MS only, and then closes the connection. */
  isImpatient = false;
  readonly url: string;
  readonly #patient: Connections;
  readonly #impatient: Connections;
  readonly #ledger: Ledger;

  constructor(url: string, ledger: Ledger) {
    this.url = url;
    this.#ledger = ledger;
    this.#patient = new Connections(url, CONNECTIONS, DEADLINE_MS);
    this.#impatient = new Connections(url, CONNECTIONS, IMPATIENT_MS);
  }

  async send(sent: Sent): Promise<Outcome> {
    const { method = 'GET', path, token, body, headers = {} } = sent;
    const connections = this.isImpatient && method !== 'GET' ? this.#impatient : this.#patient;
    try {
      const answer = await connections.send({
        method,
        path,
        headers: {
          'x-api-key': CREDENTIALS.apiKey,
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answered = { ...answer, text: answer.body, ...membersOf(answer.body) };
      // A 502 or 504 without a result code comes from the balancer itself, which got no answer.
      const isOfBalancer = answered.code === '' && [502, 504].includes(answer.status);
      if (isOfBalancer) return this.#lost(sent, `${answer.status} ${BY_BALANCER}`);
      this.#note(sent, answered);
      return { kind: 'answered', at: performance.now(), ...answered };
    } catch (error) {
      return this.#lost(sent, messageOf(error));
    }
  }

  #lost({ method = 'GET', path }: Sent, why: string): Outcome {
    count(this.#ledger.statuses, 'lost');
    if (!this.#ledger.mayLose) {
      this.#ledger.complaints.push(`${time()} ${this.url} ${method} ${path}: no answer: ${why}`);
    }
    return { kind: 'lost', at: performance.now(), why };
  }

  #note({ method = 'GET', path }: Sent, { status, headers, code, text, data }: Answered) {
    count(this.#ledger.statuses, String(status));
    if (status < 300 && method !== 'GET') {
      const { _id: id = '' } = data as { _id?: string };
      const what = `${method} ${this.url}${path}`;
      this.#ledger.acknowledged.push({ time: time(), id, what });
    }
    const isRefusal = status === 503 && headers['retry-after'] !== undefined && code === '10002';
    if (status < 500 || isRefusal) return;
    const id = String(headers['x-request-id']);
    this.#ledger.complaints.push(
      `${time()} ${this.url} ${method} ${path}: ${status} ${text} (${id})`,
    );
  }
}

/** Repeats a request until its answer is below 500. @throws Error after `withinMs` */
export async function untilAnswered(
  pick: () => Client,
  sent: Sent,
  withinMs = 90_000,
): Promise<Answered> {
  for (const deadline = performance.now() + withinMs; ; await wait(PAUSE_MS)) {
    const outcome = await pick().send(sent);
    if (outcome.kind === 'answered' && outcome.status < 500) return outcome;
    if (performance.now() < deadline) continue;
    const last = outcome.kind === 'lost' ? outcome.why : `${outcome.status} ${outcome.text}`;
    throw new Error(`${sent.method ?? 'GET'} ${sent.path} is never answered: ${last}`);
  }
}

/** Creates a record: repeats the `POST`, with the same `Idempotency-Key`, until its answer is below 500. */
export function create(pick: () => Client, sent: Sent): Promise<Answered> {
  const headers = { 'idempotency-key': randomUUID() };
  return untilAnswered(pick, { ...sent, method: 'POST', headers });
}

export function time(): string {
  return new Date().toISOString().slice(11, 23);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function membersOf(body: string): Pick<Answered, 'code' | 'reason' | 'data'> {
  try {
    const { code = '', reason = '', data = {} } = JSON.parse(body) as Partial<Answered>;
    return { code, reason, data };
  } catch {
    return { code: '', reason: '', data: {} };
  }
}
