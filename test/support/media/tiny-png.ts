import { pngOf } from '../../../src/cli/setup/demo/drawing/png.ts';

/** A grey PNG, as small as one can be; made without a library, because many tests need one at once. */
export function tinyPng(width = 8, height = 6): Buffer {
  return pngOf(width, height, () => [0x80, 0x80, 0x80]);
}
