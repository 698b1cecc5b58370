import type { Socket } from 'node:net';

/** The average rate in bytes per second that an upload must keep in every WINDOW_MS. */
const RATE_MIN = 8_192;

/** Length of the time over which the rate is measured, in milliseconds. */
const WINDOW_MS = 15_000;

/** Milliseconds that an upload may take in all. */
const UPLOAD_MAX_MS = 3_600_000;

/** The connections by which a body of an upload arrives. */
const arriving = new Set<Socket>();

/** Whether an upload arrives by this connection, so that the time limit of other requests does not apply to it. */
export function isUploading(socket: Socket): boolean {
  return arriving.has(socket);
}

/**
 * Ends an upload that arrives too slowly. A slow phone may take its time; without a lowest rate, a client could
 * hold a connection and a file for ever.
 *
 * @param end called once, if the upload is too slow
 * @returns a function to call when the body has arrived
 */
export function watchRate(
  socket: Socket,
  end: () => void,
  { windowMs = WINDOW_MS, rateMin = RATE_MIN, maxMs = UPLOAD_MAX_MS } = {},
): () => void {
  const startedAt = performance.now();
  let windowStart = startedAt;
  let bytesAtStart = socket.bytesRead;
  arriving.add(socket);
  const timer = setInterval(() => {
    const time = performance.now();
    const rate = (socket.bytesRead - bytesAtStart) / ((time - windowStart) / 1_000);
    if (rate < rateMin || time - startedAt > maxMs) {
      stop();
      end();
      return;
    }
    windowStart = time;
    bytesAtStart = socket.bytesRead;
  }, windowMs);
  timer.unref();
  const stop = (): void => {
    clearInterval(timer);
    arriving.delete(socket);
  };
  return stop;
}
