import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import type { Headers, Server } from '../../support/servers/servers.ts';

const SIZE = { width: 4_000, height: 3_000, channels: 3 } as const;

/** Draws a JPEG of 12 megapixels and 4 MB: gradients with noise. */
export async function drawPhotograph(): Promise<Blob> {
  const row = SIZE.width * SIZE.channels;
  const noise = randomBytes(row * SIZE.height);
  const pixels = noise.map(
    (byte, at) => byte / 4 + (90 * (at % row)) / row + (90 * at) / noise.length,
  );
  return new Blob([new Uint8Array(await sharp(pixels, { raw: SIZE }).jpeg().toBuffer())]);
}

/** Uploads a picture. @throws Error when it is refused */
export async function upload(
  { url }: Server,
  headers: Headers,
  photograph: Blob,
): Promise<{ readonly _id: string; readonly url: string }> {
  const body = new FormData();
  body.set('file', photograph, 'photograph.jpg');
  const answer = await fetch(`${url}/media`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: { _id: string; url: string } }).data;
}
