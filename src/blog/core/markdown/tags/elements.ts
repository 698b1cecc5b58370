import { escapeHtml } from '../../../../platform/text/escape-html.ts';

/** The scheme of a link to another article of the same source, by its file, slug or title. */
const ARTICLE_SCHEME = 'article:';

/** A link to another article of the same source: the import knows the address, or leaves the text alone. */
export function articleUrl(name: string): string {
  const [path = '', ...headings] = name.split('#');
  // A heading may be named after those that it stands under.
  const heading = headings.at(-1) ?? '^';
  // A block within an article, unlike a heading, has no address.
  const suffix = heading.startsWith('^') ? '' : `#${encodeURIComponent(heading)}`;
  return path === '' ? suffix : `${ARTICLE_SCHEME}${encodeURIComponent(path.trim())}${suffix}`;
}

export function linkTo(url: string, text = url): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** A player, which becomes a link where its host is not allowed. */
export function embedOf(url: string, title = ''): string {
  const titled = title === '' ? '' : ` title="${escapeHtml(title)}"`;
  return `<iframe src="${escapeHtml(url)}"${titled}></iframe>`;
}

/** A player of a file. */
export function playerOf(element: 'audio' | 'video', src: string): string {
  return `<${element} controls src="${escapeHtml(src)}"></${element}>`;
}

export interface Figure {
  readonly src: string;
  readonly alt?: string | undefined;
  /** HTML; '' for none. */
  readonly caption?: string | undefined;
  readonly width?: string | undefined;
  readonly height?: string | undefined;
  readonly link?: string | undefined;
}

/** A picture; a figure if it has a caption. */
export function figureOf({
  src,
  alt = '',
  caption = '',
  width,
  height,
  link = '',
}: Figure): string {
  const sizes = Object.entries({ width, height })
    .filter(([, value]) => value !== undefined && /^\d{1,5}(?:px)?$/.test(value))
    .map(([name, value]) => ` ${name}="${parseInt(value!)}"`);
  const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt || caption)}"${sizes.join('')}>`;
  const linked = link === '' ? image : `<a href="${escapeHtml(link)}">${image}</a>`;
  return caption === '' ? linked : `<figure>${linked}<figcaption>${caption}</figcaption></figure>`;
}

export function codeBlock(code: string, language: string): string {
  const name = /^[\w+#.-]{1,40}$/.test(language)
    ? ` class="language-${language.toLowerCase()}"`
    : '';
  return `<pre><code${name}>${escapeHtml(code.replace(/^\s*\n/, '').trimEnd())}\n</code></pre>`;
}

/** Words for callouts that do not say of which kind they are. */
const UNNAMED: ReadonlySet<string> = new Set(['callout', 'admonition', 'alert', 'aside', 'banner']);

/** The beginning of a callout, such as a note or a warning, which HTML has no element for. */
export function calloutStart(kind: string, title = ''): string {
  const name = UNNAMED.has(kind.toLowerCase()) ? 'note' : kind;
  const shown = title === '' ? name.charAt(0).toUpperCase() + name.slice(1).toLowerCase() : title;
  return `<blockquote>\n<p><strong>${escapeHtml(shown)}</strong></p>`;
}

export const CALLOUT_END = '</blockquote>';

export function detailsStart(title: string): string {
  return `<details><summary>${escapeHtml(title || '…')}</summary>`;
}

/** The kinds of callouts of the usual generators. */
export const CALLOUTS: ReadonlySet<string> = new Set(
  (
    'note notice tip info warning danger alert admonition callout hint important caution success error ' +
    'abstract summary tldr todo question faq example quote bug failure attention seealso primary default'
  ).split(' '),
);
