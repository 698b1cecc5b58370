import {
  pictureAt,
  PICTURE_PATH,
  pictureSets,
  pictureUrl,
  storedAddress,
  wholeAddress,
  type AddressParts,
  type PictureFacts,
} from '../../../platform/picture/picture-address.js';
import { FORMATS, type PictureFormat } from '../../../platform/picture/picture-formats.js';

/** How wide an article shows a picture: as wide as its place, which browsers know once they lay out the page. */
const SIZES = 'auto, 100vw';

const IMAGE = /<img\b[^>]*>/g;
const LINK = /<a\b[^>]*>/g;
const SOURCE = /<source\b[^>]*>/g;
const ATTRIBUTE = /([a-z-]+)="([^"]*)"/g;

const STORED = /(?:src|href)="\/media\/([0-9a-f]{24})\//g;

/** The ids of the pictures that a stored text shows or links to, each once. */
export function picturesIn(html: string): string[] {
  if (!html.includes(PICTURE_PATH)) return [];
  return [...new Set([...html.matchAll(STORED)].map(([, id = '']) => id))];
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
  if (!html.includes(PICTURE_PATH)) return html;
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
  if (!html.includes(PICTURE_PATH)) return [];
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
  if (!html.includes(PICTURE_PATH)) return html;
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

function factsIn(src: string, width: string, height: string): PictureFacts | null {
  const { id, file } = pictureAt(src, []) ?? { id: '', file: '' };
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
