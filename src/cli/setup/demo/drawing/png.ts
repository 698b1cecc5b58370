import { crc32, deflateSync } from 'node:zlib';

/** The bytes with which every PNG begins. */
export const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');

/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A part of a PNG, with its length and its checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** Draws a PNG of this size in pixels. */
export function pngOf(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Buffer {
  // Eight bits for each colour. Each line begins with a byte that says that it is not filtered.
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])]);
  const pixels = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0, at = 0; y < height; y += 1) {
    at += 1;
    for (let x = 0; x < width; x += 1, at += 3) {
      [pixels[at], pixels[at + 1], pixels[at + 2]] = colourAt(x, y);
    }
  }
  return Buffer.concat([
    PNG_START,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
