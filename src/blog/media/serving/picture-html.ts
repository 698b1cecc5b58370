import { FORMATS, WIDTHS, type PictureFormat } from '../processing/picture-formats.js';

/** The path below which pictures are served, and stand in stored texts. */
const PATH = '/media/';

/** Width in pixels of the picture that programs show which choose none. */
const FALLBACK_WIDTH = 1_280;

/** How wide an article shows a picture: as wide as its place, which browsers know once they lay out the page. */
const SIZES = 'auto, 100vw';

const IMAGE = /<img\b[^>]*>/g;
const LINK = /<a\b[^>]*>/g;
const SOURCE = /<source\b[^>]*>/g;
const ATTRIBUTE = /([a-z-]+)="([^"]*)"/g;

/** The path of a picture, in which one group is its id, and one the rest of its name. */
const PICTURE_PATH = /^\/media\/([0-9a-f]{24})\/([^/?#"]+)(?:\?[^#"]*)?(#[^"]*)?$/;
const STORED = /(?:src|href)="\/media\/([0-9a-f]{24})\//g;

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
export interface PictureSet {
  readonly type: string;
  readonly srcset: string;
}

/** Where addresses begin and end: `base` is the origin, `query` the signature of an address that is not public. */
export interface AddressParts {
  readonly base: string;
  readonly queryOf: (id: string) => string;
}

/** The ids of the pictures that a stored text shows or links to, each once. */
export function picturesIn(html: string): string[] {
  if (!html.includes(PATH)) return [];
  return [...new Set([...html.matchAll(STORED)].map(([, id = '']) => id))];
}

/**
 * Finds the picture to which an address leads.
 *
 * @param bases the origins of our addresses
 * @returns the id, and what follows the `#`; null for any other address
 */
export function pictureAt(
  address: string,
  bases: readonly string[],
): { readonly id: string; readonly fragment: string } | null {
  const base = bases.find((each) => address.startsWith(`${each}${PATH}`)) ?? '';
  const [, id, , fragment = ''] = PICTURE_PATH.exec(address.slice(base.length)) ?? [];
  return id === undefined ? null : { id, fragment };
}

/** The stored address of a picture. Its point of focus follows the `#`, so that it survives an edit of the text. */
function storedAddress({ id, name, format }: PictureFacts, fragment = ''): string {
  return `${PATH}${id}/${name}.${FORMATS[format].extension}${fragment}`;
}

/**
 * Brings a cleaned text into the form in which it is stored: pictures of ours have their path, their size and what the
 * author says of them, and nothing that is made for readers.
 *
 * @param factsOf returns a picture that the text may show; null for any other, which is removed
 */
export function storedHtml(
  html: string,
  bases: readonly string[],
  factsOf: (id: string) => PictureFacts | null,
): string {
  if (!html.includes(PATH)) return html;
  const isOurs = (address: string): boolean => pictureAt(plain(address), bases) !== null;
  return html
    .replace(SOURCE, (tag) => (isOurs(firstAddress(attributesOf(tag)['srcset'])) ? '' : tag))
    .replace(LINK, (tag) => {
      const { href, ...others } = attributesOf(tag);
      const found = pictureAt(plain(href), bases);
      if (!found) return tag;
      const facts = factsOf(found.id);
      return tagOf('a', facts ? { ...attributesOf(tag), href: storedAddress(facts) } : others);
    })
    .replace(IMAGE, (tag) => {
      const given = attributesOf(tag);
      const found = pictureAt(addressIn(given), bases);
      if (!found) return tag;
      const facts = factsOf(found.id);
      if (!facts) return '';
      const { srcset, sizes, width, height, ...others } = given;
      return tagOf('img', {
        ...others,
        src: storedAddress(facts, found.fragment),
        width: String(facts.width),
        height: String(facts.height),
      });
    });
}

/** The pictures of a cleaned text that are ours, by their ids. */
export function givenPictures(html: string, bases: readonly string[]): string[] {
  if (!html.includes(PATH)) return [];
  const tags = [...html.matchAll(IMAGE), ...html.matchAll(LINK)].map(([tag]) => attributesOf(tag));
  const found = tags.map((attributes) => pictureAt(addressIn(attributes), bases));
  return [...new Set(found.flatMap((picture) => picture?.id ?? []))];
}

/** Whether a stored text shows a picture of ours of which it says nothing to those who do not see it. */
export function lacksAlt(html: string): boolean {
  return [...html.matchAll(IMAGE)].some(([tag]) => {
    const { src = '', alt = '' } = attributesOf(tag);
    return pictureAt(plain(src), []) !== null && alt.trim() === '';
  });
}

/** Makes a stored text ready for browsers: pictures of ours get whole addresses, and sizes to choose from. */
export function servedHtml(html: string, parts: AddressParts): string {
  if (!html.includes(PATH)) return html;
  return html
    .replace(LINK, (tag) => {
      const given = attributesOf(tag);
      const href = plain(given['href']);
      const found = pictureAt(href, []);
      if (!found) return tag;
      return tagOf('a', { ...given, href: escaped(wholeAddress(href, found.id, parts)) });
    })
    .replace(IMAGE, (tag) => {
      const given = attributesOf(tag);
      const { width = '', height = '' } = given;
      const src = plain(given['src']);
      const facts = factsIn(src, width, height);
      if (!facts) return tag;
      const [set] = pictureSets(facts, parts);
      return tagOf('img', {
        ...given,
        src: escaped(pictureUrl(facts, parts)) + (pictureAt(src, [])?.fragment ?? ''),
        ...(set ? { srcset: escaped(set.srcset), sizes: SIZES } : {}),
        loading: 'lazy',
        decoding: 'async',
      });
    });
}

/** The address of a picture for whoever chooses no size. */
export function pictureUrl(facts: PictureFacts, parts: AddressParts): string {
  const { id, width, format } = facts;
  return width > FALLBACK_WIDTH && !hasOneSize(format)
    ? wholeAddress(`${PATH}${id}/${FALLBACK_WIDTH}.${FORMATS[format].extension}`, id, parts)
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
        const address = `${PATH}${id}/${size}.${FORMATS[each].extension}`;
        return `${wholeAddress(address, id, parts)} ${size}w`;
      }),
      ...whole,
    ].join(', '),
  });
  return [setOf('webp'), setOf(format)];
}

function wholeAddress(path: string, id: string, { base, queryOf }: AddressParts): string {
  const [before = '', fragment] = path.split('#');
  const query = queryOf(id);
  return `${base}${before}${query === '' ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`;
}

function factsIn(src: string, width: string, height: string): PictureFacts | null {
  const [, id = '', file = ''] = PICTURE_PATH.exec(src) ?? [];
  const [, name = '', extension] = /^(.*)\.(\w+)$/.exec(file) ?? [];
  const format = Object.entries(FORMATS).find(([, each]) => each.extension === extension)?.[0];
  if (format === undefined) return null;
  return {
    id,
    name,
    format: format as PictureFormat,
    width: Number(width),
    height: Number(height),
  };
}

/** Whether pictures of this format have one size only: full pictures are GIF or WebP if they move, and only then. */
export function hasOneSize(format: PictureFormat): boolean {
  return format === 'gif' || format === 'webp';
}

/** The attributes of a tag of a cleaned text, with their values as they are written: quoted, `&` as `&amp;`. */
function attributesOf(tag: string): Record<string, string> {
  const found = [...tag.matchAll(ATTRIBUTE)];
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
}

/** @param attributes values as they are written */
function tagOf(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(
    ([attribute, value]) => ` ${attribute}="${value}"`,
  );
  return `<${name}${written.join('')}${name === 'img' ? ' />' : '>'}`;
}

/** The address to which a tag leads, or that it shows. */
function addressIn({ src, href, srcset }: Readonly<Record<string, string>>): string {
  return plain(src ?? href ?? firstAddress(srcset));
}

function firstAddress(srcset = ''): string {
  return srcset.trim().split(/[\s,]/)[0] ?? '';
}

function plain(value = ''): string {
  return value.replaceAll('&amp;', '&');
}

function escaped(address: string): string {
  return address.replaceAll('&', '&amp;');
}
