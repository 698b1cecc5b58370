import { createHash } from 'node:crypto';
import type { Cover } from '../../../blog/media/cover/cover.js';
import type { ImportedArticle } from '../articles/imported-article.js';
import { lastPartOf, type FoundPicture, type PictureSource } from './picture-source.js';
import { withPictures, type ShownPicture } from './picture-tags.js';

/**
 * Where marked pictures seem to be. It is an absolute URL, which neither the URL of the former site nor the cleaner
 * changes; the host cannot exist.
 */
const PLACE = 'https://pictures.invalid/media/';
const MARK = /https:\/\/pictures\.invalid\/media\/([0-9a-f]{24})\//g;

const FOCUS = /#focus=([\d.]+),([\d.]+)$/;

/** A picture that an article shows, and that the import takes. */
export interface MarkedPicture {
  readonly found: FoundPicture;
  /** The address in the article. */
  readonly address: string;
  /** What the article says of it where it shows it first. */
  readonly alt: string;
}

/** An article in which the pictures that the import takes are marked. */
export interface MarkedArticle {
  readonly article: ImportedArticle;
  /** The pictures by their marks. */
  readonly pictures: ReadonlyMap<string, MarkedPicture>;
  /** The addresses of pictures that are files of the source, and not there. */
  readonly missing: readonly string[];
  /** Number of pictures that stay on the web. */
  readonly onWeb: number;
}

/** Finds the pictures of articles. */
export interface PictureFinder {
  readonly files: PictureSource | null;
  /** Finds a picture on the web; null if none is to be fetched. */
  readonly onWeb: ((url: URL) => FoundPicture) | null;
}

/**
 * Marks the pictures of an article that the import takes. The others stay as they are.
 *
 * @param excluded keys of pictures that could not be taken
 */
export async function markedArticle(
  article: ImportedArticle,
  { files, onWeb }: PictureFinder,
  excluded: ReadonlySet<string> = new Set(),
): Promise<MarkedArticle> {
  const pictures = new Map<string, MarkedPicture>();
  const missing = new Set<string>();
  const staying = new Set<string>();
  const find = async (address: string): Promise<FoundPicture | null> => {
    const file = await files?.find(address, article);
    if (file) return file;
    const url = webUrl(address, article.base);
    return url && onWeb ? onWeb(url) : null;
  };
  const markOf = (address: string, found: FoundPicture, alt: string): string => {
    const mark = createHash('sha256').update(found.key).digest('hex').slice(0, 24);
    const known = pictures.get(mark);
    if (!known || known.alt === '') pictures.set(mark, { found, address, alt });
    const [focus = ''] = FOCUS.exec(address) ?? [];
    return `${PLACE}${mark}/picture.jpg${focus}`;
  };
  const imageOf = async ({ addresses, alt }: ShownPicture): Promise<string | null> => {
    for (const address of addresses) {
      const found = await find(address);
      if (found && !excluded.has(found.key)) return markOf(address, found, alt);
      if (found) return null;
    }
    const [last = ''] = addresses.slice(-1);
    if (webUrl(last, article.base)) staying.add(last);
    else missing.add(last.replace(FOCUS, ''));
    return null;
  };
  const linkOf = async (address: string): Promise<string | null> => {
    const found = pictures.size === 0 ? null : await find(address);
    const mark = [...pictures].find(([, picture]) => picture.found.key === found?.key)?.[0];
    return mark === undefined ? null : `${PLACE}${mark}/picture.jpg`;
  };
  const { imgUrl, imgAlt } = article;
  // The picture of the article is marked last: what the text says of the same picture says more.
  const html = await withPictures(article.html, imageOf, linkOf);
  const marked = imgUrl ? await imageOf({ addresses: [imgUrl], alt: imgAlt ?? '' }) : null;
  // What is no address without its file is left out: the note that it is not taken says enough.
  const kept = imgUrl && webUrl(imgUrl, article.base) ? imgUrl : null;
  return {
    article: { ...article, html, imgUrl: marked ?? kept },
    pictures,
    missing: [...missing],
    onWeb: staying.size,
  };
}

/**
 * Gives marked pictures their addresses.
 *
 * @param idOf the id of the picture with this mark; undefined for a mark that is none
 */
export function withAddresses(html: string, idOf: (mark: string) => string | undefined): string {
  return html.replace(MARK, (address, mark: string) => {
    const id = idOf(mark);
    return id === undefined ? address : `/media/${id}/`;
  });
}

/** The mark in an address, and the point of focus after it; '' for an address without a mark. */
export function markIn(address: string): {
  readonly mark: string;
  readonly focus?: NonNullable<Cover['focus']>;
} {
  const [, mark = ''] = new RegExp(MARK.source).exec(address) ?? [];
  const [, x, y] = FOCUS.exec(address) ?? [];
  const focus = { x: Number(x), y: Number(y) };
  return focus.x <= 1 && focus.y <= 1 ? { mark, focus } : { mark };
}

/** The address of a picture on the web, by https; null for one that is no such address. */
function webUrl(address: string, base: string | null): URL | null {
  const url = URL.parse(address.replace(/^\/\//, 'https://'), base ?? undefined);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.protocol = 'https:';
  url.hash = '';
  return url;
}

/** The picture at an address of the web. */
export function webPicture(url: URL, open: FoundPicture['open']): FoundPicture {
  return { key: url.href, name: lastPartOf(url.pathname), open };
}
