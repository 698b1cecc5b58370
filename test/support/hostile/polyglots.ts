import {
  overwritten,
  withGifComment,
  withJpegSegment,
  withPngChunk,
  withWebpChunk,
} from './containers.js';
import type { Bases } from './bases.js';
import type { Choices } from './random.js';

/** Texts of other types. None may be in a picture that is served. */
const PAYLOADS: readonly string[] = [
  '<!DOCTYPE html><html><body><script>alert(document.domain)</script></body></html>',
  '<script>alert(1)</script>',
  '*/=1;alert(document.domain);/*',
  '<?php system($_GET["c"]); ?>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'PK\x03\x04\x14\x00\x00\x00\x08\x00evil.jar',
  '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj',
];

/** What no byte of a served picture may contain. */
export const MARKS: readonly string[] = [
  '<script',
  '<!DOCTYPE',
  'alert(',
  '<?php',
  '<svg',
  'evil.jar',
  'JavaScript',
];

/** Pictures that are something else as well. */
export const POLYGLOTS: Readonly<Record<string, (bases: Bases, choices: Choices) => Buffer>> = {
  'text after a picture': ({ still }, choices) => {
    const file = choices.oneOf(Object.values(still));
    return Buffer.concat([file, Buffer.from(choices.oneOf(PAYLOADS), 'latin1')]);
  },
  'text in a comment of a JPEG': ({ still }, choices) =>
    withJpegSegment(still.jpeg, 0xfe, payload(choices)),
  'text in the first segment of a JPEG': ({ still }, choices) =>
    withJpegSegment(still.jpeg, 0xe0 + choices.number(0, 15), payload(choices)),
  'text in a PNG': ({ still }, choices) => {
    const name = Buffer.from('Comment\0', 'latin1');
    return withPngChunk(still.png, 'tEXt', Buffer.concat([name, payload(choices)]));
  },
  'text in a comment of a GIF': ({ still, moving }, choices) =>
    withGifComment(choices.oneOf([still.gif, moving.gif]), payload(choices)),
  // The size of the screen opens a comment of JavaScript, and the end of the file closes it.
  'a GIF that is a script': ({ still }) => {
    const opened = overwritten(still.gif, 6, Buffer.from('/*'));
    return Buffer.concat([opened, Buffer.from('*/=1;alert(document.domain)')]);
  },
  'text in a WebP': ({ still, moving }, choices) =>
    withWebpChunk(
      choices.oneOf([still.webp, moving.webp]),
      choices.oneOf(['XMP ', 'EXIF', 'junk']),
      payload(choices),
    ),
  'text in the description of a JPEG': ({ still }, choices) =>
    withJpegSegment(
      still.jpeg,
      0xe1,
      Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), payload(choices)]),
    ),
};

function payload(choices: Choices): Buffer {
  return Buffer.from(choices.oneOf(PAYLOADS), 'latin1');
}
