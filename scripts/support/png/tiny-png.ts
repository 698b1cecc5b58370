import { deflateSync } from 'node:zlib';
import { PNG_START, pngChunk, uint32 } from './png-chunk.ts';

/** A grey PNG, as small as one can be; made without a library, because many tests need one at once. */
export function tinyPng(width = 8, height = 6): Buffer {
  // Eight bits for each of red, green and blue.
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])]);
  const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(width * 3, 0x80)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  return Buffer.concat([
    PNG_START,
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
