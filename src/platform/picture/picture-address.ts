import { FORMATS, WIDTHS, type PictureFormat } from './picture-formats.js';

/** The path below which pictures are served, and stand in stored texts. */
export const PICTURE_PATH = '/media/';

/** Width in pixels of the picture that programs show which choose none. */
const FALLBACK_WIDTH = 1_280;

/** The path of a picture, in which one group is its id, one the rest of its name, and one what follows the `#`. */
const ADDRESS_PATH = /^\/media\/([0-9a-f]{24})\/([^/?#"]+)(?:\?[^#"]*)?(#[^"]*)?$/;

/** What an address of a picture is made of. */
export interface PictureFacts {
  /** 24 hexadecimal digits. */
  readonly id: string;
  /** Its name without the extension. */
  readonly name: string;
  readonly format: PictureFormat;
  readonly width: number;
  readonly height: number;
}

/** A `srcset` for browsers that show this media type. */
interface PictureSet {
  readonly type: string;
  readonly srcset: string;
}

/** Where addresses begin and end: `base` is the origin, `query` the signature of an address that is not public. */
export interface AddressParts {
  readonly base: string;
  readonly queryOf: (id: string) => string;
}

/** The addresses of a picture in a view. */
export interface PictureLinks {
  readonly url: string;
  readonly sources: readonly PictureSet[];
}

/** Gives a picture its addresses. */
export type LinksOf = (facts: PictureFacts) => PictureLinks;

/** The settings that decide where addresses begin. Programs that strip types cannot import Env, which has them. */
interface AddressSettings {
  readonly MEDIA_URL: string | undefined;
  readonly PUBLIC_URL: string | undefined;
  readonly NODE_ENV: string;
  readonly PORT: number;
}

/**
 * Where the addresses of public pictures begin. With neither setting they lead to this machine, which is for trials
 * only; in production, they are paths.
 */
export function publicParts({
  MEDIA_URL,
  PUBLIC_URL,
  NODE_ENV,
  PORT,
}: AddressSettings): AddressParts {
  const trial = NODE_ENV === 'development' ? `http://localhost:${PORT}` : '';
  return { base: MEDIA_URL ?? PUBLIC_URL ?? trial, queryOf: () => '' };
}

/** Gives pictures that are public their addresses. */
export function publicLinksOf(env: AddressSettings): LinksOf {
  const parts = publicParts(env);
  return (facts) => linksOf(facts, parts);
}

/** Gives a picture all addresses that begin and end so. */
export function linksOf(facts: PictureFacts, { base, queryOf }: AddressParts): PictureLinks {
  // A picture has a dozen addresses, and one signature.
  const query = queryOf(facts.id);
  const parts = { base, queryOf: () => query };
  return { url: pictureUrl(facts, parts), sources: pictureSets(facts, parts) };
}

/**
 * Finds the picture to which an address leads.
 *
 * @param bases the origins of our addresses
 * @returns the id, the name of the file, and what follows the `#`; null for any other address
 */
export function pictureAt(
  address: string,
  bases: readonly string[],
): { readonly id: string; readonly file: string; readonly fragment: string } | null {
  const base = bases.find((each) => address.startsWith(`${each}${PICTURE_PATH}`)) ?? '';
  const [, id, file = '', fragment = ''] = ADDRESS_PATH.exec(address.slice(base.length)) ?? [];
  return id === undefined ? null : { id, file, fragment };
}

/** The stored address of a picture. Its point of focus follows the `#`, so that it survives an edit of the text. */
export function storedAddress({ id, name, format }: PictureFacts, fragment = ''): string {
  return `${PICTURE_PATH}${id}/${name}.${FORMATS[format].extension}${fragment}`;
}

/** The address of a picture for whoever chooses no size. */
export function pictureUrl(facts: PictureFacts, parts: AddressParts): string {
  const { id, width, format } = facts;
  return width > FALLBACK_WIDTH && !hasOneSize(format)
    ? wholeAddress(`${PICTURE_PATH}${id}/${FALLBACK_WIDTH}.${FORMATS[format].extension}`, id, parts)
    : wholeAddress(storedAddress(facts), id, parts);
}

/** The sizes of a picture: as WebP, and in its own format; [] if it has one size only. */
export function pictureSets(facts: PictureFacts, parts: AddressParts): PictureSet[] {
  const { id, width, format } = facts;
  const widths = WIDTHS.filter((each) => each < width);
  if (widths.length === 0 || hasOneSize(format)) return [];
  const isWhole = width <= WIDTHS[WIDTHS.length - 1]!;
  const whole = isWhole ? [`${wholeAddress(storedAddress(facts), id, parts)} ${width}w`] : [];
  const setOf = (each: PictureFormat): PictureSet => ({
    type: FORMATS[each].type,
    srcset: [
      ...widths.map((size) => {
        const address = `${PICTURE_PATH}${id}/${size}.${FORMATS[each].extension}`;
        return `${wholeAddress(address, id, parts)} ${size}w`;
      }),
      ...whole,
    ].join(', '),
  });
  return [setOf('webp'), setOf(format)];
}

/** The address with its origin, and with its signature if it is not public. */
export function wholeAddress(path: string, id: string, { base, queryOf }: AddressParts): string {
  const [before = '', fragment] = path.split('#');
  const query = queryOf(id);
  return `${base}${before}${query === '' ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Whether pictures of this format have one size only: full pictures are GIF or WebP if they move, and only then. */
export function hasOneSize(format: PictureFormat): boolean {
  return format === 'gif' || format === 'webp';
}
