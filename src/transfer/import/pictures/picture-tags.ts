import type { Token } from 'parse5';
import { escapeHtml } from '../../../platform/text/escape-html.js';
import { srcsetCandidates } from '../../../platform/text/srcset.js';
import { placeOf, readTags, withEdits, type Edit, type Place } from '../html/source-edits.js';

/** A picture as a text shows it. */
export interface ShownPicture {
  /** The addresses at which it may be, the best one first. */
  readonly addresses: readonly string[];
  readonly alt: string;
}

interface FoundImage extends ShownPicture {
  readonly tag: Token.TagToken;
  /** The sources of its `picture`, which other sizes and formats of it are in. */
  readonly sources: readonly Place[];
}

/** Attributes that say where a picture is, or how large, which the new one says itself. */
const REPLACED =
  /^(?:src|srcset|sizes|width|height|loading|decoding|data-(?:lazy-)?(?:src|srcset|original|sizes))$/;

/** Attributes in which scripts find the address of a picture that is loaded late. */
const LATE = ['data-src', 'data-lazy-src', 'data-original'];

/** The size that WordPress writes at the end of the name of a smaller copy. */
const COPY_SIZE = /-\d{1,5}x\d{1,5}(?=\.\w{3,4}$)/;

/**
 * Gives the pictures of a text, and links to the same files, other addresses. All else stays as it is. The time is
 * linear.
 *
 * @param imageOf the new address of a picture; null keeps the old one
 * @param linkOf the new address of a link; null keeps the old one. It is asked after all pictures
 */
export async function withPictures(
  html: string,
  imageOf: (picture: ShownPicture) => Promise<string | null>,
  linkOf: (address: string) => Promise<string | null>,
): Promise<string> {
  if (!/<img\b/i.test(html)) return html;
  const { images, links } = readPictures(html);
  const edits: Edit[] = [];
  for (const image of images) {
    const address = await imageOf(image);
    if (address === null || !image.tag.location) continue;
    edits.push({ ...placeOf(image.tag.location), text: imageTag(image.tag, address) });
    edits.push(...image.sources.map((place) => ({ ...place, text: '' })));
  }
  for (const { href, place } of links) {
    const address = await linkOf(href);
    if (address !== null) edits.push({ ...place, text: `href="${escapeHtml(address)}"` });
  }
  return withEdits(html, edits);
}

function readPictures(html: string): {
  readonly images: readonly FoundImage[];
  readonly links: readonly { readonly href: string; readonly place: Place }[];
} {
  const images: FoundImage[] = [];
  const links: { href: string; place: Place }[] = [];
  let link = '';
  let sources: Place[] | null = null;
  readTags(html, {
    onStartTag: (tag) => {
      const { tagName, location } = tag;
      const place = location?.attrs?.['href'];
      if (tagName === 'picture') sources = [];
      else if (tagName === 'source' && location) sources?.push(placeOf(location));
      else if (tagName === 'a') {
        link = valueOf(tag, 'href');
        if (place) links.push({ href: link, place: placeOf(place) });
      } else if (tagName === 'img') {
        const addresses = addressesOf(tag, link);
        const alt = valueOf(tag, 'alt');
        if (addresses.length > 0) images.push({ addresses, alt, tag, sources: sources ?? [] });
      }
    },
    onEndTag: ({ tagName }) => {
      if (tagName === 'a') link = '';
      else if (tagName === 'picture') sources = null;
    },
  });
  return { images, links };
}

/** @param link the address to which the picture leads; that of a larger copy is better than its own */
function addressesOf(tag: Token.TagToken, link: string): string[] {
  const sets = ['srcset', 'data-srcset'].map((name) => largestIn(valueOf(tag, name)));
  const given = ['src', ...LATE].map((name) => valueOf(tag, name));
  const [own] = [...given, ...sets].filter((each) => each !== '' && !/^data:/i.test(each));
  if (own === undefined) return [];
  const isCopy = link !== own && own.replace(COPY_SIZE, '') === link;
  return isCopy ? [link, own] : [own];
}

function largestIn(srcset: string): string {
  const sizes = srcsetCandidates(srcset).map(({ address, descriptor }) => ({
    address,
    size: Number.parseFloat(descriptor) || 0,
  }));
  return sizes.toSorted((one, other) => other.size - one.size)[0]?.address ?? '';
}

function imageTag({ attrs }: Token.TagToken, address: string): string {
  const kept = attrs.filter(({ name }) => !REPLACED.test(name));
  const written = [{ name: 'src', value: address }, ...kept].map(
    ({ name, value }) => ` ${name}="${escapeHtml(value)}"`,
  );
  return `<img${written.join('')}>`;
}

function valueOf({ attrs }: Token.TagToken, name: string): string {
  return attrs.find((attribute) => attribute.name === name)?.value.trim() ?? '';
}
