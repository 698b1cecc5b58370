import { FORMATS, type PictureFormat } from '../processing/picture-formats.js';
import { pictureName } from '../records/file-name.js';
import type { Focus, Media } from '../records/media.schema.js';
import type { PictureFacts } from '../serving/picture-html.js';

/** The cover of an article as a request chooses it. What it leaves out stays as it is, or starts from the library. */
export interface CoverChoice {
  /** The id of the picture: 24 hexadecimal digits. */
  readonly media: string;
  readonly alt?: string | undefined;
  /** `null` removes it. */
  readonly focus?: Focus | null | undefined;
}

/**
 * The cover of an article as it is stored. What a view needs to know of the picture is stored with it, and never
 * changes, so that no list reads the library.
 */
export interface Cover {
  /** The id of the picture in hexadecimal digits, as revisions store it, too. */
  readonly media: string;
  readonly alt: string;
  readonly focus?: Focus;
  readonly name: string;
  readonly format: PictureFormat;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** A blurred form of the picture in base64. */
  readonly thumbhash: string;
}

/** The parts of a picture that a cover copies. */
export const COVER_FACTS = ['name', 'format', 'width', 'height', 'thumbhash'] as const;

export type CoverMedia = Pick<Media, '_id' | 'alt' | 'focus' | (typeof COVER_FACTS)[number]>;

/** @param texts what the article says of the picture, or has said until now */
export function coverOf(
  { _id, name, format, width, height, thumbhash }: CoverMedia,
  { alt, focus }: Pick<Cover, 'alt'> & { readonly focus?: Focus | null | undefined },
): Cover {
  return {
    media: _id.toHexString(),
    alt,
    ...(focus ? { focus: { x: focus.x, y: focus.y } } : {}),
    name,
    format,
    width,
    height,
    thumbhash,
  };
}

/** The name of the picture in its full address, and of its file. It leads to no other folder, whatever is stored. */
export function fileNameOf({ name, format }: Pick<Cover, 'name' | 'format'>): string {
  return `${pictureName(name)}.${FORMATS[format].extension}`;
}

/** What an address of the picture is made of. */
export function factsOf({ media, ...facts }: Cover): PictureFacts {
  return { ...facts, id: media };
}
