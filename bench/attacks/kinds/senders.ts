import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { Connections, type Request } from '../../load/connections.ts';
import { codeOf } from '../../support/program.ts';
import type { AttackReport } from '../figures.ts';

export const KEY_HEADER = { 'x-api-key': CREDENTIALS.apiKey };
/** Milliseconds that a client waits for an answer, so that a server that hangs does not block the program. */
export const DEADLINE_MS = 15_000;
/** Milliseconds to wait after a request without an answer, so as not to flood a server that refuses. */
const BACK_OFF_MS = 20;

export interface Senders {
  readonly url: string;
  readonly clients: number;
  /** Makes a request. `client` is the number of the client; `turn` counts the requests of this client from 0. */
  readonly requestOf: (client: number, turn: number) => Request;
}

/**
 * Runs clients until `over`, and then waits for the last answers. Each client sends its next request as soon as the
 * one before is answered.
 * @returns `answers` counts the answers by status, and the errors
 */
export async function sendUntil(
  { url, clients, requestOf }: Senders,
  over: Promise<void>,
): Promise<AttackReport> {
  const connections = new Connections(url, clients, DEADLINE_MS);
  const answers: Record<string, number> = {};
  let longestAnswerMs = 0;
  let isOver = false;
  void over.then(() => (isOver = true));
  const send = async (number: number, turn: number) => {
    const sentAt = performance.now();
    const outcome = await connections.send(requestOf(number, turn)).then(
      ({ status }) => status,
      (error: unknown) => String(codeOf(error) ?? 'no answer'),
    );
    longestAnswerMs = Math.max(longestAnswerMs, performance.now() - sentAt);
    const name = String(outcome);
    answers[name] = (answers[name] ?? 0) + 1;
    if (typeof outcome === 'string') await wait(BACK_OFF_MS);
  };
  const client = async (_: unknown, number: number) => {
    for (let turn = 0; !isOver; turn += 1) await send(number, turn);
  };
  await Promise.all(Array.from({ length: clients }, client));
  connections.close();
  return { answers, longestAnswerMs };
}
