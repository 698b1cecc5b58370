import { audioOf, embedOf, videoOf } from '../../html/media.js';
import { galleryOf, picturesOf, shownUrl } from '../blocks.js';
import { builderHtml, isBuilder } from './page-builders.js';
import type { ShortcodeAttributes, WordpressContext } from '../wordpress-context.js';

/** Matches a shortcode, or the end of one. */
const TAG =
  /(\[?)\[(\/?)([a-z][\w-]{0,60})((?:\s(?:"[^"]{0,4000}"|'[^']{0,4000}'|[^[\]"'])*)?)\](\]?)/gi;

const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|([^\s"']+)/g;

/** The HTML of the shortcodes of WordPress itself that show media. */
const MEDIA: Readonly<
  Record<string, (given: ShortcodeAttributes, context: WordpressContext, notes: string[]) => string>
> = {
  gallery: ({ ids, include, exclude }, context, notes) => {
    const listed = ids ?? include;
    if (listed !== undefined) return galleryOf(listed.split(','), context, notes);
    const left = new Set(exclude?.split(',').map((id) => context.attachments.get(id.trim())?.url));
    return picturesOf(context.uploads.filter(({ url }) => isPicture(url) && !left.has(url)));
  },
  playlist: ({ ids = '' }, { attachments }) =>
    ids
      .split(',')
      .flatMap((id) => attachments.get(id.trim()) ?? [])
      .map(({ url }) => shownUrl(url))
      .join('\n'),
  audio: (given, context) => {
    const src =
      mediaUrl(given, ['src', 'mp3', 'm4a', 'ogg', 'wav', '0']) ?? uploadOf(context, AUDIO);
    return src === undefined ? '' : audioOf(src);
  },
  video: (given, context) => {
    const src =
      mediaUrl(given, ['src', 'mp4', 'm4v', 'webm', 'ogv', '0']) ?? uploadOf(context, VIDEO);
    if (src === undefined) return '';
    return VIDEO.test(src) ? videoOf(src, '', given['poster']) : shownUrl(src);
  },
  youtube: (given) => playerOf(given, 'https://www.youtube.com/watch?v='),
  vimeo: (given) => playerOf(given, 'https://vimeo.com/'),
};

const AUDIO = /\.(?:mp3|m4a|ogg|oga|wav|flac|aac)(?:[?#]|$)/i;
const VIDEO = /\.(?:mp4|m4v|webm|ogv|mov)(?:[?#]|$)/i;
const isPicture = (url: string): boolean =>
  /\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i.test(url);

/** Replaces the shortcodes that are understood, and notes the others, which stay as they are written. */
export function convertedShortcodes(
  text: string,
  context: WordpressContext,
  unknown: Set<string>,
  notes: string[],
): string {
  return text.replace(
    TAG,
    (whole, before: string, slash: string, given: string, attributes: string, after: string) => {
      const name = given.toLowerCase();
      const isKnown = Object.hasOwn(MEDIA, name) || isBuilder(name);
      // `[[gallery]]` shows the shortcode itself.
      if (before && after) return isKnown ? whole.slice(1, -1) : whole;
      if (!isKnown) {
        if (slash || /=/.test(attributes) || /^(?:caption|embed)$/.test(name)) unknown.add(name);
        return whole;
      }
      if (slash) return `${before}\n\n${after}`;
      const parsedAttributes = attributesOf(attributes);
      const html =
        MEDIA[name]?.(parsedAttributes, context, notes) ??
        builderHtml(name, parsedAttributes, context);
      return `${before}\n\n${html}\n\n${after}`;
    },
  );
}

function attributesOf(text: string): ShortcodeAttributes {
  const attributes: Record<string, string> = {};
  let position = 0;
  for (const [, name, ...values] of text.matchAll(ATTRIBUTE)) {
    const value = values.find((each) => each !== undefined) ?? '';
    attributes[name?.toLowerCase() ?? String(position)] = value;
    if (name === undefined) position += 1;
  }
  return attributes;
}

function mediaUrl(given: ShortcodeAttributes, names: readonly string[]): string | undefined {
  return names.map((name) => given[name]).find((url) => /^https?:\/\//.test(url ?? ''));
}

/** `[video]` without a source shows the file that was uploaded to the article. */
function uploadOf({ uploads }: WordpressContext, kind: RegExp): string | undefined {
  return uploads.find(({ url }) => kind.test(url))?.url;
}

function playerOf(given: ShortcodeAttributes, page: string): string {
  const value = given['url'] ?? given['id'] ?? given['src'] ?? given['0'] ?? '';
  if (value === '') return '';
  return embedOf(/^https?:/.test(value) ? value : page + value);
}
