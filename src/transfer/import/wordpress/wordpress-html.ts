import { withParagraphs } from './paragraphs.js';

/** Matches comments by which the block editor marks its blocks, whose texts are paragraphs already. */
const BLOCK_MARK = /<!--\s*\/?wp:[\s\S]*?-->\s?/g;

/** Matches `[caption …]<img> The caption[/caption]`; the picture may be within a link. */
const CAPTION =
  /\[(?:wp_)?caption([^\]]*)\]\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]*?)\[\/(?:wp_)?caption\]/gi;
const CAPTION_ATTRIBUTE = /\bcaption=(?:"([^"]*)"|'([^']*)')/;

/** Matches `[embed]https://…[/embed]`. */
const EMBED = /\[embed[^\]]*\]\s*(https?:\/\/[^\s[\]]+)\s*\[\/embed\]/gi;
/** Matches `[video]` and `[audio]` with the URL of their source. */
const MEDIA =
  /\[(?:video|audio)\b[^\]]*?(?:src|mp4|webm|mp3|m4a|ogg)="(https?:\/\/[^"]+)"[^\]]*\](?:\s*\[\/(?:video|audio)\])?/gi;

/** Matches code within the shortcode of a plugin. */
const CODE = /\[(code|sourcecode)\b[^\]]*\]([\s\S]*?)\[\/\1\]/gi;

/** Matches a remaining shortcode: any of WordPress itself, and others that have attributes or an end tag. */
const SHORTCODE =
  /\[(gallery|playlist|caption|embed|video|audio)\b[^\]]*\]|\[([a-z][\w-]*)\s+[\w-]+=[^\]]*\]|\[\/([a-z][\w-]*)\]/gi;

export interface WordpressHtml {
  readonly html: string;
  readonly notes: readonly string[];
}

/** The HTML of `content:encoded`, as WordPress shows it without plugins. */
export function wordpressHtml(content: string): WordpressHtml {
  const hasBlocks = /<!--\s*wp:/.test(content);
  const converted = content
    .replace(CODE, (_, _name, code: string) => `<pre><code>${escaped(code.trim())}</code></pre>`)
    .replace(CAPTION, (_, attributes: string, image: string, text: string) =>
      figureOf(image, text.trim() || captionIn(attributes)),
    )
    .replace(EMBED, (_, url: string) => linkTo(url))
    .replace(MEDIA, (_, url: string) => linkTo(url));
  const names = [...converted.matchAll(SHORTCODE)].map(
    ([, builtIn, inStartTag, inEndTag]) => builtIn ?? inStartTag ?? inEndTag ?? '',
  );
  const html = hasBlocks ? converted.replace(BLOCK_MARK, '') : withParagraphs(converted);
  const notes = [...new Set(names.map((name) => name.toLowerCase()))].map(
    (name) => `text: the shortcode "${name}" stays as it is written`,
  );
  return { html, notes };
}

function captionIn(attributes: string): string {
  const match = CAPTION_ATTRIBUTE.exec(attributes);
  return match?.[1] ?? match?.[2] ?? '';
}

function figureOf(image: string, caption: string): string {
  const text = caption === '' ? '' : `<figcaption>${caption}</figcaption>`;
  return `<figure>${image}${text}</figure>`;
}

function linkTo(url: string): string {
  return `<p><a href="${url.replace(/"/g, '%22')}">${escaped(url)}</a></p>`;
}

/** Escapes a text for HTML, except for character references, which stay as they are. */
function escaped(text: string): string {
  return text
    .replace(/&(?![a-z]+;|#\d+;)/gi, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}
