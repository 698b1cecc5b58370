import type { Socket } from 'node:net';

/** Number of bytes that a client may still send after the last response. */
const MAX_DISCARDED_BYTES = 65_536;

/** Milliseconds in which a client may still send bytes after the last response. */
const LINGER_MS = 1_000;

/**
 * Closes a connection whose client may still be sending (RFC 9112, section 9.6). If it were closed at
 * once, the operating system would respond to further bytes with a reset, and the client could lose
 * the response. So only the server's side is closed, and further bytes are discarded. The connection
 * ends when the client closes its side, after 64 KiB, or after a second.
 *
 * @param response text to write before the close
 */
export function closeLingering(socket: Socket, response = ''): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  let left = MAX_DISCARDED_BYTES;
  // Removes the listener of Node's HTTP parser, so that further bytes are not parsed.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) socket.destroy();
  });
  socket.end(response);
  socket.resume();
}
