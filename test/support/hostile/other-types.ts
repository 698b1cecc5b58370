import type { Choices } from './random.js';

/** Files that are no picture of ours, by their types. */
export const OTHER_TYPES: Readonly<Record<string, (choices: Choices) => Buffer>> = {
  nothing: () => Buffer.alloc(0),
  'one byte': (choices) => choices.bytes(1),
  noise: (choices) => choices.bytes(choices.number(2, 5_000)),
  SVG: () =>
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>',
    ),
  'SVG with a declaration': () =>
    Buffer.from('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'),
  HTML: () => Buffer.from('<!DOCTYPE html><script>alert(1)</script>'),
  PDF: () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj<<>>endobj'),
  HEIC: () => box('heic', 'mif1heic'),
  'a video': () => box('isom', 'isomiso2avc1mp41'),
  TIFF: (choices) => Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), choices.bytes(100)]),
  BMP: (choices) => Buffer.concat([Buffer.from('BM\x36\0\0\0', 'latin1'), choices.bytes(100)]),
  ICO: (choices) => Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), choices.bytes(100)]),
  PSD: (choices) => Buffer.concat([Buffer.from('8BPS\0\x01', 'latin1'), choices.bytes(100)]),
  'a JPEG 2000': (choices) =>
    Buffer.concat([Buffer.from('0000000c6a5020200d0a870a', 'hex'), choices.bytes(100)]),
  'a JPEG XL': (choices) => Buffer.concat([Buffer.from([0xff, 0x0a]), choices.bytes(100)]),
  'a sound in the container of WebP': () => Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'),
  'an instruction of a vector program': () =>
    Buffer.from('push graphic-context\nfill \'url(https://127.0.0.1/"|id")\''),
  'a zip': (choices) => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), choices.bytes(200)]),
};

/** The first box of files like MP4 and HEIC. */
function box(brand: string, compatible: string): Buffer {
  const content = Buffer.concat([
    Buffer.from(`ftyp${brand}\0\0\0\0${compatible}`, 'latin1'),
    Buffer.alloc(600, 0x20),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(16 + compatible.length);
  return Buffer.concat([size, content]);
}
