// The picture process imports this file, so its imports end in `.ts`.

/** The formats in which full pictures are stored, each with its media type and the extension of its addresses. */
export const FORMATS = {
  jpeg: { type: 'image/jpeg', extension: 'jpg' },
  png: { type: 'image/png', extension: 'png' },
  webp: { type: 'image/webp', extension: 'webp' },
  gif: { type: 'image/gif', extension: 'gif' },
} as const;

export type PictureFormat = keyof typeof FORMATS;

export const PICTURE_FORMATS = Object.keys(FORMATS) as readonly PictureFormat[];

/** The widths in which pictures are served, in pixels, besides their own. */
export const WIDTHS = [320, 640, 960, 1_280, 1_920] as const;

/** Largest number of pixels of a picture, those of all its frames together. */
export const PIXELS_MAX = 50_000_000;

/** How the files that an upload may send begin, by the offset of the bytes. */
const SIGNATURES: readonly (readonly (readonly [number, RegExp])[])[] = [
  [[0, /^\xff\xd8\xff/]],
  [[0, /^\x89PNG\r\n\x1a\n/]],
  [[0, /^GIF8[79]a/]],
  [
    [0, /^RIFF/],
    [8, /^WEBP/],
  ],
  [
    [4, /^ftyp/],
    [8, /^[\s\S]*?avi[fs]/],
  ],
];

/** Whether a file that begins with these bytes may be a JPEG, PNG, WebP, AVIF or GIF. */
export function isPictureHead(head: Buffer): boolean {
  const text = head.toString('latin1');
  return SIGNATURES.some((parts) => parts.every(([at, pattern]) => pattern.test(text.slice(at))));
}
