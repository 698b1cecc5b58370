import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SLOW_ADDRESS } from '../slow-loris/slow-sockets.mjs';

/** More at once would overrun the queue of the listening socket, and that is another attack. */
const OPENED_AT_ONCE = 50;

/**
 * Connections that each write something once and stay, until it is over.
 *
 * @param first what each of them writes
 * @param isReading whether they take what the server sends
 * @param over resolves when it is enough
 * @returns `answers`: how many of each status came, where they are read; `opened`: how many of them
 *   were connected
 */
export async function holdSockets({ url, count, first, isReading }, over) {
  const { hostname, port } = new URL(url);
  const answers = {};
  let opened = 0;
  const sockets = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ host: hostname, port: Number(port), localAddress: SLOW_ADDRESS });
    sockets.push(socket);
    // Before it is connected, or Node fills its own buffer.
    if (!isReading) socket.pause();
    else {
      socket.once('data', (chunk) => {
        const status = chunk.toString('latin1', 9, 12);
        answers[status] = (answers[status] ?? 0) + 1;
      });
    }
    // To be cut is what it is here for.
    socket.on('error', () => undefined);
    socket.on('connect', () => {
      opened += 1;
      socket.write(first);
    });
    if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await wait(20);
  }
  await over;
  for (const socket of sockets) socket.destroy();
  return { answers, opened, longestMs: 0 };
}
