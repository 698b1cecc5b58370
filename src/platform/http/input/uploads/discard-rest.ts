import { finished, type Readable } from 'node:stream';

/**
 * Reads the rest of a body, and keeps nothing of it.
 *
 * @param maxBytes ends the wait when more arrives
 * @returns when the body has ended, or its client has gone; it never rejects
 */
export async function discardRest(payload: Readable, maxBytes: number): Promise<void> {
  if (payload.readableEnded || payload.destroyed) return;
  await new Promise<void>((resolve) => {
    let left = maxBytes;
    finished(payload, () => resolve());
    payload.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) resolve();
    });
    payload.resume();
  });
}
