import type { Focus } from './focus.decorator.js';
import type { PictureFacts } from './picture-address.js';
import { pictureName } from './picture-name.js';
import { FORMATS, type PictureFormat } from './picture-formats.js';

/**
 * A picture of the media library as an article or a profile shows it. What a view needs to know of the picture is stored
 * with it, and never changes, so that no list reads the library.
 */
export interface ShownPicture {
  /** The id of the picture in hexadecimal digits, as revisions store it, too. */
  readonly media: string;
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

/** The parts of a picture that are stored with whatever shows it. */
export const SHOWN_FACTS = ['name', 'format', 'width', 'height', 'thumbhash'] as const;

/**
 * @param media the id of the picture
 * @param focus null, too, stands for none
 */
export function shownPicture(
  media: string,
  { name, format, width, height, thumbhash }: Pick<ShownPicture, (typeof SHOWN_FACTS)[number]>,
  focus: Focus | null | undefined,
): ShownPicture {
  return {
    media,
    ...(focus ? { focus: { x: focus.x, y: focus.y } } : {}),
    name,
    format,
    width,
    height,
    thumbhash,
  };
}

/** The name of the picture in its full address, and of its file. It leads to no other folder, whatever is stored. */
export function fileNameOf({ name, format }: Pick<ShownPicture, 'name' | 'format'>): string {
  return `${pictureName(name)}.${FORMATS[format].extension}`;
}

/** What an address of the picture is made of. */
export function factsOf({ media, ...facts }: ShownPicture): PictureFacts {
  return { ...facts, id: media };
}
