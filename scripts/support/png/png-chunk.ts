import { crc32 } from 'node:zlib';

/** The bytes with which every PNG begins. */
export const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');

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
