import type { Focus } from '../../../platform/picture/focus.decorator.js';
import {
  shownPicture,
  type SHOWN_FACTS,
  type ShownPicture,
} from '../../../platform/picture/shown-picture.js';
import type { Media } from '../records/media.schema.js';

/** The cover of an article as a request chooses it. What it leaves out stays as it is, or starts from the library. */
export interface CoverChoice {
  /** The id of the picture: 24 hexadecimal digits. */
  readonly media: string;
  readonly alt?: string | undefined;
  /** `null` removes it. */
  readonly focus?: Focus | null | undefined;
}

/** The cover of an article as it is stored: a picture, and what the article says of it. */
export interface Cover extends ShownPicture {
  readonly alt: string;
}

type CoverMedia = Pick<Media, '_id' | (typeof SHOWN_FACTS)[number]>;

/** @param texts what the article says of the picture, or has said until now */
export function coverOf(
  picture: CoverMedia,
  { alt, focus }: Pick<Cover, 'alt'> & { readonly focus?: Focus | null | undefined },
): Cover {
  const { media, ...others } = shownPicture(picture._id.toHexString(), picture, focus);
  return { media, alt, ...others };
}
