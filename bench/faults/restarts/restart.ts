import { messageOf } from '../../../scripts/support/user-error.ts';
import { Connections } from '../../load/connections.ts';
import { time } from '../testbed/client.ts';
import type { Pressroom } from '../../support/servers/pressroom.ts';

/** Number of connections. One is not enough: if its last 200 has `connection: close`, it never gets the 503. */
const CONNECTIONS = 3;

export interface Restart {
  /** Milliseconds from the signal to the end of the process. */
  readonly exitMs: number;
  /** One line for each promise that the server broke. */
  readonly violations: readonly string[];
}

/** Ends a server by SIGTERM and starts it again. */
export async function restart(server: Pressroom): Promise<Restart> {
  // The connections are opened before the signal: requests on them are answered even if the server stops listening
  // at once.
  const connections = Array.from({ length: CONNECTIONS }, () => new Connections(server.url, 1));
  for (const connection of connections) await readiness(connection);
  const startedAt = performance.now();
  const stopped = server.stop();
  const answers: string[] = [];
  for (const connection of connections) {
    let answer = await readiness(connection);
    while (answer === '200 keep-alive') answer = await readiness(connection);
    answers.push(answer);
    connection.close();
  }
  await stopped;
  const exitMs = performance.now() - startedAt;
  const cutText = /\d+ connections were cut/.exec(server.readLog())?.[0];
  await server.startAgain();
  const isNotReady = answers.at(-1)?.startsWith('503');
  return {
    exitMs,
    violations: [
      ...(isNotReady ? [] : [`/health/ready of ${server.name}: ${answers.join(', ')}`]),
      ...(cutText === undefined ? [] : [`${server.name}: ${cutText}`]),
    ].map((line) => `${time()} ${line}`),
  };
}

async function readiness(connection: Connections): Promise<string> {
  try {
    const { status, headers } = await connection.send({ path: '/health/ready' });
    return `${status} ${headers.connection}`;
  } catch (error) {
    return messageOf(error);
  }
}
