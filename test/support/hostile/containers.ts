import { pngChunk, uint32 } from '../../../src/cli/setup/demo/drawing/png.ts';

/** Puts a chunk right after the header of a PNG. */
export function withPngChunk(png: Buffer, type: string, data: Uint8Array): Buffer {
  const end = 8 + 12 + 13;
  return Buffer.concat([png.subarray(0, end), pngChunk(type, data), png.subarray(end)]);
}

/** Puts a segment (`marker` is its second byte) right after the start of a JPEG. Long data is cut. */
export function withJpegSegment(jpeg: Buffer, marker: number, data: Uint8Array): Buffer {
  const kept = data.subarray(0, 65_533);
  const head = Buffer.from([0xff, marker, (kept.length + 2) >> 8, (kept.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, kept, jpeg.subarray(2)]);
}

/** Puts a comment before the first frame of a GIF. */
export function withGifComment(gif: Buffer, text: Buffer): Buffer {
  const [head, rest] = afterGifHeader(gif);
  const part = text.subarray(0, 255);
  const comment = [Buffer.from([0x21, 0xfe, part.length]), part, Buffer.from([0])];
  return Buffer.concat([head, ...comment, rest]);
}

/** Splits a GIF after its screen and the table of colours for all frames. */
export function afterGifHeader(gif: Buffer): [Buffer, Buffer] {
  const packed = gif[10] ?? 0;
  const end = 13 + (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);
  return [gif.subarray(0, end), gif.subarray(end)];
}

/** Adds a chunk at the end of a WebP, and corrects its length. */
export function withWebpChunk(webp: Buffer, type: string, data: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  const padding = Buffer.alloc(data.length % 2);
  const all = Buffer.concat([webp, Buffer.from(type, 'latin1'), size, data, padding]);
  all.writeUInt32LE(all.length - 8, 4);
  return all;
}

export function uint16(value: number): Buffer {
  return uint32(value).subarray(2);
}

/** Writes bytes over those of a copy. */
export function overwritten(file: Buffer, at: number, bytes: Uint8Array): Buffer {
  const copy = Buffer.from(file);
  if (at >= 0) copy.set(bytes.subarray(0, Math.max(0, copy.length - at)), at);
  return copy;
}
