import type { Socket } from 'node:net';

/** The average rate in bytes per second that an upload must keep in every WINDOW_MS. */
const RATE_MIN = 8_192;

/** Length of the time over which the rate is measured, in milliseconds. */
const WINDOW_MS = 15_000;

/** Milliseconds that an upload may take in all. */
const UPLOAD_MAX_MS = 3_600_000;

/** An upload whose body arrives. */
interface Arrival {
  readonly startedAt: number;
  windowStart: number;
  bytesAtStart: number;
  readonly end: () => void;
}

/** The connections by which a body of an upload arrives. */
const arrivals = new Map<Socket, Arrival>();

/** Whether an upload arrives by this connection, so that the time limit of other requests does not apply to it. */
export function isUploading(socket: Socket): boolean {
  return arrivals.has(socket);
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
  const now = performance.now();
  const arrival: Arrival = {
    startedAt: now,
    windowStart: now,
    bytesAtStart: socket.bytesRead,
    end,
  };
  arrivals.set(socket, arrival);
  const timer = setInterval(() => {
    const time = performance.now();
    const seconds = (time - arrival.windowStart) / 1_000;
    const rate = (socket.bytesRead - arrival.bytesAtStart) / seconds;
    if (rate < rateMin || time - arrival.startedAt > maxMs) {
      stop();
      arrival.end();
      return;
    }
    arrival.windowStart = time;
    arrival.bytesAtStart = socket.bytesRead;
  }, windowMs);
  timer.unref();
  const stop = (): void => {
    clearInterval(timer);
    arrivals.delete(socket);
  };
  return stop;
}
