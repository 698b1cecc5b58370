/** The process that holds the slow connections: `attacker.mjs URL COUNT`, started by attack.mjs. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { KINDS, openSlowSocket } from './slow-sockets.mjs';

const OPENED_AT_ONCE = 50;

process.on('disconnect', () => process.exit());

const [url, count] = process.argv.slice(2);
const kinds = Object.keys(KINDS);
const sockets = [];
for (let index = 0; index < Number(count); index += 1) {
  const socket = { kind: kinds[index % kinds.length], seconds: null };
  const cut = openSlowSocket(url, socket.kind).then((seconds) => (socket.seconds = seconds));
  sockets.push({ socket, cut });
  // A full queue of the listening socket would drop some, and that is another attack.
  if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await wait(20);
}
process.send({ opening: sockets.length });
const [{ patienceSeconds }] = await once(process, 'message');
await Promise.race([Promise.all(sockets.map(({ cut }) => cut)), wait(patienceSeconds * 1_000)]);
// Stays, with its side of the connections open, until it is stopped.
process.send({ cut: sockets.map(({ socket }) => socket) });
