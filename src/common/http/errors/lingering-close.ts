import type { Socket } from 'node:net';

/** What a client may still send after the last answer of its connection, and for how long. */
const MAX_DISCARDED_BYTES = 65_536;
const LINGER_MS = 1_000;

/**
 * Ends a connection whose client may still be sending. Closing it at once would make the system answer
 * what arrives with a reset, which takes an answer away that was not read yet. So only our side is
 * closed; what comes is discarded, and nothing of it is taken for a request (RFC 9112, section 9.6).
 * The end comes when the client closes its side, or has sent 64 KiB, or after a second.
 *
 * @param answer the last bytes for the client, where they are not written yet
 */
export function closeLingering(socket: Socket, answer = ''): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  let left = MAX_DISCARDED_BYTES;
  // A listener of our own takes the bytes away from the HTTP parser.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) socket.destroy();
  });
  socket.end(answer);
  socket.resume();
}
