import { deflateSync } from 'node:zlib';
import type { Bases } from './bases.js';
import { uint32 } from '../../../src/cli/setup/demo/drawing/png.ts';
import { uint16, withJpegSegment, withPngChunk, withWebpChunk } from './containers.js';
import type { Choices } from './random.js';

/** Pictures whose metadata no program has written. */
export const ODD_METADATA: Readonly<Record<string, (bases: Bases, choices: Choices) => Buffer>> = {
  'a colour profile of noise in a JPEG': ({ still }, choices) =>
    withJpegSegment(
      still.jpeg,
      0xe2,
      Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), noise(choices)]),
    ),
  'a part of a colour profile in a JPEG': ({ still }, choices) =>
    withJpegSegment(
      still.jpeg,
      0xe2,
      Buffer.concat([Buffer.from('ICC_PROFILE\0\x07\xff', 'latin1'), noise(choices)]),
    ),
  'a colour profile that claims a length': ({ still }, choices) =>
    withJpegSegment(
      still.jpeg,
      0xe2,
      Buffer.concat([
        Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'),
        profile(choices.oneOf([0, 12, 0x7fffffff, 0xffffffff]), choices),
      ]),
    ),
  'a colour profile in a PNG': ({ still }, choices) => {
    const data = choices.oneOf([noise(choices), Buffer.alloc(20_000_000)]);
    const named = Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(data)]);
    return withPngChunk(still.png, 'iCCP', named);
  },
  'a colour profile in a WebP': ({ still }, choices) =>
    withWebpChunk(still.webp, 'ICCP', noise(choices)),
  'an orientation that does not exist': ({ still }, choices) =>
    withJpegSegment(still.jpeg, 0xe1, exif(choices.oneOf([0, 9, 255, 65_535]), 0)),
  'metadata that refers to itself': ({ still }, choices) =>
    withJpegSegment(still.jpeg, 0xe1, exif(6, choices.oneOf([8, 0x7fffffff, 0xffffffff, 26]))),
  'metadata of noise': ({ still }, choices) => {
    const data = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), noise(choices)]);
    return withJpegSegment(still.jpeg, 0xe1, data);
  },
  'much metadata': ({ still }, choices) => {
    let file = still.jpeg;
    const data = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.alloc(65_000, 0x41)]);
    const times = choices.number(10, 60);
    for (let each = 0; each < times; each += 1) file = withJpegSegment(file, 0xe1, data);
    return file;
  },
  'metadata in a PNG': ({ still }, choices) => withPngChunk(still.png, 'eXIf', noise(choices)),
};

function noise(choices: Choices): Buffer {
  return choices.bytes(choices.number(0, 3_000));
}

/** A colour profile that claims this length. */
function profile(length: number, choices: Choices): Buffer {
  return Buffer.concat([
    uint32(length),
    Buffer.from('lcms\x04\x40\0\0mntrRGB XYZ ', 'latin1'),
    Buffer.alloc(16),
    Buffer.from('acsp'),
    noise(choices),
  ]);
}

/** Metadata with an orientation. @param next where it says that more of it begins */
function exif(orientation: number, next: number): Buffer {
  const entry = [uint16(0x0112), uint16(3), uint32(1), uint16(orientation), uint16(0)];
  const directory = [uint16(1), ...entry, uint32(next)];
  return Buffer.concat([Buffer.from('Exif\0\0MM\0*', 'latin1'), uint32(8), ...directory]);
}
