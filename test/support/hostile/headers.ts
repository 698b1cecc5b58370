import type { BaseFormat } from './bases.js';
import { uint32 } from '../../../src/cli/setup/demo/drawing/png.ts';
import { overwritten, uint16 } from './containers.js';

/** Changes the size that the header of a picture claims; nothing else of it. */
export const CLAIMS: Readonly<
  Record<BaseFormat, (file: Buffer, width: number, height: number) => Buffer>
> = {
  jpeg: (file, width, height) => {
    const at = jpegFrameAt(file);
    return overwritten(file, at + 5, Buffer.concat([uint16(height), uint16(width)]));
  },
  // The checksum becomes wrong as well, which not every reader looks at.
  png: (file, width, height) =>
    overwritten(file, 16, Buffer.concat([uint32(width), uint32(height)])),
  gif: (file, width, height) => {
    const size = Buffer.alloc(4);
    size.writeUInt16LE(width & 0xffff, 0);
    size.writeUInt16LE(height & 0xffff, 2);
    return overwritten(file, 6, size);
  },
  webp: (file, width, height) => {
    // A frame of VP8 begins 20 bytes after the start, a canvas of VP8X as well.
    const isExtended = file.toString('latin1', 12, 16) === 'VP8X';
    const size = Buffer.alloc(isExtended ? 6 : 4);
    if (isExtended) {
      size.writeUIntLE((width - 1) & 0xffffff, 0, 3);
      size.writeUIntLE((height - 1) & 0xffffff, 3, 3);
    } else {
      size.writeUInt16LE(width & 0x3fff, 0);
      size.writeUInt16LE(height & 0x3fff, 2);
    }
    return overwritten(file, isExtended ? 24 : 26, size);
  },
  avif: (file, width, height) => {
    const at = file.indexOf('ispe');
    return overwritten(file, at + 8, Buffer.concat([uint32(width), uint32(height)]));
  },
};

/** Where the frame header of a JPEG begins. */
function jpegFrameAt(file: Buffer): number {
  let at = 2;
  while (at + 4 < file.length && ![0xc0, 0xc1, 0xc2].includes(file[at + 1] ?? 0)) {
    at += 2 + file.readUInt16BE(at + 2);
  }
  return at;
}
