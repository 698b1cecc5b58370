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

/** Why a picture is refused that has more, in words for people. */
export const TOO_LARGE = `it has more than ${PIXELS_MAX / 1_000_000} megapixels`;

/** Largest number of frames: about half a minute of a film. */
export const FRAMES_MAX = 1_000;
