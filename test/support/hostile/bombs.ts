import { deflateSync } from 'node:zlib';
import { PNG_START, pngChunk, uint32 } from '../../../src/cli/setup/demo/drawing/png.ts';
import { afterGifHeader, uint16, withPngChunk } from './containers.js';
import type { Bases } from './bases.js';
import type { Choices } from './random.js';

/** Small files that claim or become much. */
export const BOMBS: Readonly<Record<string, (bases: Bases, choices: Choices) => Buffer>> = {
  'a PNG of zeros beyond the limit': (_, choices) =>
    pngOfZeros(choices.number(8_000, 60_000), choices.number(8_000, 60_000), 2_000_000),
  'a PNG of zeros within the limit': () => pngOfZeros(7_000, 7_000, 7_000 * 7_001),
  'a PNG with more lines than it claims': () => pngOfZeros(10, 10, 100_000_000),
  'a PNG with less than it claims': (_, choices) =>
    pngOfZeros(7_000, 7_000, choices.number(0, 9_000)),
  'a PNG with an inflated text': ({ still }, choices) => {
    const text = deflateSync(Buffer.alloc(choices.number(1, 60) * 1_000_000));
    const named = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), text]);
    return withPngChunk(still.png, 'zTXt', named);
  },
  'a PNG with very many texts': ({ still }, choices) => {
    const chunk = pngChunk('tEXt', Buffer.from('a\0b'));
    const many = Buffer.concat(Array.from({ length: choices.number(5_000, 40_000) }, () => chunk));
    return Buffer.concat([still.png.subarray(0, 33), many, still.png.subarray(33)]);
  },
  'a GIF of 65,535 frames': () => gifOfFrames(65_535, 1, 1),
  'a GIF of many frames': (_, choices) =>
    gifOfFrames(choices.number(500, 5_000), choices.number(1, 100), choices.number(1, 100)),
  'a GIF of many large frames': (_, choices) =>
    gifOfFrames(choices.number(100, 1_000), choices.number(1_000, 65_535), 65_535),
  'a GIF that repeats itself': ({ moving }, choices) => {
    const [head, rest] = afterGifHeader(moving.gif);
    const frames = rest.subarray(0, -1);
    const copies = Array.from({ length: choices.number(100, 1_000) }, () => frames);
    return Buffer.concat([head, ...copies, rest.subarray(-1)]);
  },
};

/** A grey PNG of this size. @param bytes how many zeros its data holds, with one before each line */
function pngOfZeros(width: number, height: number, bytes: number): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])]);
  return Buffer.concat([
    PNG_START,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(bytes))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF whose frames hold one pixel each, on a screen of this size. */
function gifOfFrames(frames: number, width: number, height: number): Buffer {
  const little = (value: number): Buffer => uint16(value).reverse();
  const screen = [little(width), little(height), Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])];
  const control = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0]);
  const place = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0]);
  const frame = Buffer.concat([control, place, Buffer.from([2, 2, 0x44, 1, 0])]);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    ...screen,
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
}
