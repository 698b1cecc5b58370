import { escapeHtml } from '../../../platform/text/escape-html.js';
import { audioOf, videoOf } from '../html/media.js';
import { convertedBlocks, shownUrl, withoutBlockMarks } from './blocks.js';
import { elementorHtml, withRawHtml } from './shortcodes/page-builders.js';
import { withParagraphs } from './paragraphs.js';
import { convertedShortcodes } from './shortcodes/shortcodes.js';
import { NO_CONTEXT, type WordpressContext } from './wordpress-context.js';

/** Matches `[caption …]<img> The caption[/caption]`; the picture may be within a link. */
const CAPTION =
  /\[(?:wp_)?caption([^\]]{0,2000})\]\s*((?:<a\b[^>]{0,2000}>\s*)?<img\b[^>[]{0,4000}>(?:\s*<\/a>)?)((?:(?!\[(?:wp_)?caption)[\s\S])*?)\[\/(?:wp_)?caption\]/gi;
const CAPTION_ATTRIBUTE = /\bcaption=(?:"([^"]*)"|'([^']*)')/;

/** Matches `[embed]https://…[/embed]`. */
const EMBED = /\[embed[^\]]{0,500}\]\s*(https?:\/\/[^\s[\]]+)\s*\[\/embed\]/gi;

/** Matches code within the shortcode of a plugin. */
const CODE = /\[(code|sourcecode)\b[^\]]{0,500}\]((?:(?!\[\1\b)[\s\S])*?)\[\/\1\]/gi;

/**
 * Matches an address that is alone in its line or paragraph, which WordPress shows as what it leads to. The blanks
 * before it hold no end of a line, and no two runs of blanks meet, so that many of them take linear time.
 */
const URL_LINE =
  /^([^\S\r\n\u2028\u2029]*(?:<p>[^\S\n]*)?)(https?:\/\/[^\s<>"[\]]+)([^\S\n]*(?:<\/p>[^\S\n]*)?)$/gim;

/** Matches the start of an element in which nothing is a shortcode. */
const CODE_ELEMENT = /<(pre|code|script|style|textarea)\b/gi;

export interface WordpressHtml {
  readonly html: string;
  readonly notes: readonly string[];
}

/** The HTML of `content:encoded`, as WordPress shows it with its own shortcodes and those of page builders. */
export function wordpressHtml(
  content: string,
  context: WordpressContext = NO_CONTEXT,
): WordpressHtml {
  const notes: string[] = [];
  const unknown = new Set<string>();
  const isEmpty = content.trim() === '';
  const given = isEmpty ? elementorHtml(context.meta['_elementor_data']?.[0] ?? '') : content;
  const hasBlocks = /<!--\s*wp:/.test(given);
  const blocks = convertedBlocks(given, context);
  const withoutCode = withRawHtml(blocks.html)
    .replace(
      CODE,
      (_, _name, code: string) => `<pre><code>${escapedCode(code.trim())}</code></pre>`,
    )
    .replace(CAPTION, (_, attributes: string, image: string, text: string) =>
      captioned(image, text.trim() || captionIn(attributes)),
    )
    .replace(EMBED, (_, url: string) => `\n\n${shownUrl(url)}\n\n`);
  const unmarked = hasBlocks ? withoutBlockMarks(withoutCode) : withoutCode;
  const converted = outsideCode(unmarked, (part) =>
    convertedShortcodes(part.replace(URL_LINE, urlLine), context, unknown, notes),
  );
  const html = hasBlocks || isEmpty ? converted : withParagraphs(converted);
  const names = [...unknown].map((name) => `text: the shortcode "${name}" stays as it is written`);
  return {
    html: `${enclosuresOf(context, html)}${html}`,
    notes: [...new Set([...blocks.notes, ...notes, ...names])],
  };
}

function urlLine(whole: string, before: string, url: string, after: string): string {
  // A paragraph is replaced as a whole; half of one would leave the other half.
  const isWhole = before.includes('<p>') === after.includes('</p>');
  return isWhole ? `\n${shownUrl(url.replace(/&amp;/g, '&'))}\n` : whole;
}

/** Changes the text outside of code, in which nothing is converted. */
function outsideCode(html: string, change: (part: string) => string): string {
  const parts: string[] = [];
  const neverEnds = new Set<string>();
  let at = 0;
  for (const match of html.matchAll(CODE_ELEMENT)) {
    const name = match[1]?.toLowerCase() ?? '';
    if (match.index < at || neverEnds.has(name)) continue;
    const end = html.slice(match.index).search(END_TAGS[name] ?? /$/);
    if (end < 0) {
      neverEnds.add(name);
      continue;
    }
    parts.push(change(html.slice(at, match.index)), html.slice(match.index, match.index + end));
    at = match.index + end;
  }
  return [...parts, change(html.slice(at))].join('');
}

const END_TAGS: Readonly<Record<string, RegExp>> = {
  pre: /<\/pre\b/i,
  code: /<\/code\b/i,
  script: /<\/script\b/i,
  style: /<\/style\b/i,
  textarea: /<\/textarea\b/i,
};

/** The recordings of a podcast, unless the text shows them itself. */
function enclosuresOf({ meta }: WordpressContext, html: string): string {
  const given = [...(meta['enclosure'] ?? []), ...(meta['audio_file'] ?? [])];
  const lines = given.map((value) =>
    value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
  const shown = lines.flatMap(([url = '', , type = '']) => {
    if (!/^https?:\/\//.test(url) || html.includes(url.replace(/^https?:/, ''))) return [];
    return [/^video\//.test(type) ? videoOf(url) : audioOf(url)];
  });
  return [...new Set(shown)].map((each) => `${each}\n`).join('');
}

function captionIn(attributes: string): string {
  const match = CAPTION_ATTRIBUTE.exec(attributes);
  return match?.[1] ?? match?.[2] ?? '';
}

function captioned(image: string, caption: string): string {
  const text = caption === '' ? '' : `<figcaption>${caption}</figcaption>`;
  return `<figure>${image}${text}</figure>`;
}

/** Escapes code for HTML, except for character references, which stay as they are. */
function escapedCode(text: string): string {
  return escapeHtml(text.replace(/"/g, '\0'))
    .replaceAll('\0', '"')
    .replace(/&amp;(?=[a-z]+;|#\d+;)/gi, '&');
}
