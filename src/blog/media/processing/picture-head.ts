import { PictureRefusedError, PictureTypeError } from '../media.errors.js';
import { PIXELS_MAX, TOO_LARGE } from '../../../platform/picture/picture-formats.js';

type Size = readonly [width: number, height: number];

/** A format that an upload may have. */
interface HeadOf {
  /** What files of it begin with, by the offset of the bytes. */
  readonly starts: readonly (readonly [number, RegExp])[];
  /** The size that the head claims; null if it tells none. */
  readonly sizeOf: (head: Buffer) => Size | null;
}

const HEADS: readonly HeadOf[] = [
  { starts: [[0, /^\xff\xd8\xff/]], sizeOf: jpegSize },
  {
    starts: [[0, /^\x89PNG\r\n\x1a\n/]],
    sizeOf: (head) => [head.readUInt32BE(16), head.readUInt32BE(20)],
  },
  // A GIF is as large as its frames, whatever its head claims.
  { starts: [[0, /^GIF8[79]a/]], sizeOf: () => null },
  {
    starts: [
      [0, /^RIFF/],
      [8, /^WEBP/],
    ],
    sizeOf: webpSize,
  },
  {
    starts: [
      [4, /^ftyp/],
      [8, /^[\s\S]{0,60}?avi[fs]/],
    ],
    sizeOf: avifSize,
  },
];

/**
 * Checks the first bytes of a file, before the rest of it is read: the claim of a size that is too large then costs
 * nearly nothing. What the picture really is, the picture process finds out.
 *
 * @throws PictureTypeError if it is no JPEG, PNG, WebP, AVIF or GIF
 * @throws PictureRefusedError if it claims to have too many pixels
 */
export function checkPictureHead(head: Buffer): void {
  const text = head.toString('latin1');
  const found = HEADS.find(({ starts }) =>
    starts.every(([at, pattern]) => pattern.test(text.slice(at))),
  );
  if (!found) throw new PictureTypeError();
  const [width, height] = claimOf(found, head) ?? [0, 0];
  if (width * height > PIXELS_MAX) throw new PictureRefusedError(TOO_LARGE);
}

function claimOf({ sizeOf }: HeadOf, head: Buffer): Size | null {
  try {
    return sizeOf(head);
  } catch {
    // It ends before its size.
    return null;
  }
}

/** Walks over the segments of a JPEG to the header of its frame. */
function jpegSize(head: Buffer): Size | null {
  for (let at = 2; head[at] === 0xff; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [head.readUInt16BE(at + 7), head.readUInt16BE(at + 5)];
  }
  return null;
}

function webpSize(head: Buffer): Size | null {
  const kind = head.toString('latin1', 12, 16);
  if (kind === 'VP8 ') return [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff];
  if (kind === 'VP8X') return [head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1];
  if (kind !== 'VP8L') return null;
  const bits = head.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

/** The largest of the sizes that an AVIF claims: parts of a picture have sizes too. */
function avifSize(head: Buffer): Size | null {
  let largest: Size = [0, 0];
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    if (at + 16 > head.length) break;
    const size: Size = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)];
    if (size[0] * size[1] > largest[0] * largest[1]) largest = size;
  }
  return largest;
}
