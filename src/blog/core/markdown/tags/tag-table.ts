import { escapeHtml } from '../../../../platform/text/escape-html.ts';
import {
  articleUrl,
  calloutStart,
  CALLOUT_END,
  CALLOUTS,
  detailsStart,
  embedOf,
  figureOf,
  linkTo,
  playerOf,
} from './elements.ts';
import { argumentOf, tagArguments, type TagArguments } from './tag-arguments.ts';

/** What a tag becomes: HTML, or a text that stands in the Markdown, such as a URL. Null: the tag is kept. */
export type TagOutput = { readonly html: string } | { readonly text: string } | null;
type TagReader = (given: TagArguments) => TagOutput;

const NOTHING: TagOutput = { html: '' };

const link = (url: string): TagOutput => ({ html: linkTo(url) });

const PLAIN = /^[\w-]{1,60}$/;

const youtube: TagReader = (given) => {
  const value = argumentOf(given, ['id', 'videoid', 'video', 'url', 'src']);
  const id = /(?:[?&]v=|youtu\.be\/|\/embed\/|\/shorts\/)([\w-]{6,20})/.exec(value)?.[1] ?? value;
  const title = given.named['title'] ?? '';
  if (!/^[\w-]{6,20}$/.test(id)) return null;
  return { html: embedOf(`https://www.youtube-nocookie.com/embed/${id}`, title) };
};

const vimeo: TagReader = (given) => {
  const id = /(\d{4,20})(?:$|[/?#])/.exec(argumentOf(given, ['id', 'videoid', 'url', 'src']))?.[1];
  return id === undefined ? null : { html: embedOf(`https://player.vimeo.com/video/${id}`) };
};

const gist: TagReader = (given) => {
  const { positional } = given;
  const user = given.named['user'] ?? given.named['username'];
  const id = given.named['id'] ?? positional.find((each) => /^[\w/.-]*[0-9a-f]{5,40}$/i.test(each));
  if (id === undefined) return null;
  const owner = user ?? (positional[0] === id ? undefined : positional[0]);
  return link(`https://gist.github.com/${owner === undefined ? id : `${owner}/${id}`}`);
};

const tweet: TagReader = (given) => {
  const value = argumentOf(given, ['id', 'url'], given.positional.length - 1);
  const id = /(\d{5,25})(?:$|[/?#])/.exec(value)?.[1];
  if (id === undefined) return null;
  return link(
    value.startsWith('https://')
      ? value
      : `https://twitter.com/${given.named['user'] ?? 'i'}/status/${id}`,
  );
};

/** A site whose pages are known by an id. */
const pageOf =
  (prefix: string): TagReader =>
  (given) => {
    const id = argumentOf(given, ['id', 'slug', 'url']);
    if (id.startsWith('https://')) return link(id);
    return PLAIN.test(id) ? link(prefix + id) : null;
  };

const frame: TagReader = (given) => {
  const url = argumentOf(given, ['src', 'url']);
  return /^(?:https?:)?\/\//.test(url) ? { html: embedOf(url.replace(/^\/\//, 'https://')) } : null;
};

const figure: TagReader = (given) => {
  const { named } = given;
  const src = argumentOf(given, ['src', 'url', 'path', 'image', 'image_path', 'file', 'link']);
  if (src === '' || /[{}]/.test(src)) return null;
  const caption = named['caption'] ?? named['title'] ?? named['description'] ?? '';
  const { alt, width, height } = named;
  const link = named['src'] === undefined ? undefined : named['link'];
  return { html: figureOf({ src, caption, alt, width, height, link }) };
};

/** `img [class names] /path [width] [height] [title [alt]]`, as Hexo writes it. */
const hexoImage: TagReader = ({ positional }) => {
  const at = positional.findIndex((each) => /[./]/.test(each));
  const rest = positional.slice(at + 1);
  const sizes = rest.filter((each, index) => index < 2 && /^\d{1,5}$/.test(each));
  const words = rest.slice(sizes.length);
  // Without quotation marks all words are the title, otherwise the second text is the alternative.
  const isQuoted = words.some((each) => each.includes(' '));
  const alt = isQuoted ? words.at(-1)! : words.join(' ');
  if (at === -1) return null;
  const [width, height] = sizes;
  return { html: figureOf({ src: positional[at]!, alt, width, height }) };
};

/** The address of another article. */
const articleAddress: TagReader = (given) => {
  const name = argumentOf(given, ['path', 'page']);
  return name === '' ? null : { text: articleUrl(name) };
};

/** `link path` of Jekyll, and `link words address` of Hexo. */
const linkTag: TagReader = (given) => {
  const { positional } = given;
  const at = positional.findIndex((each) => /^(?:https?:\/|\/)/.test(each));
  return at > 0
    ? { html: linkTo(positional[at]!, positional.slice(0, at).join(' ')) }
    : articleAddress(given);
};

const fileLink: TagReader = ({ positional: [path, ...title] }) =>
  path === undefined ? null : { html: linkTo(path, title.join(' ') || path) };

const player =
  (element: 'audio' | 'video'): TagReader =>
  (given) => {
    const src = argumentOf(given, ['src', 'url', 'file', 'mp4', 'webm', 'mp3']);
    return /^[^\s{}]+\.\w{2,5}(?:[?#]\S*)?$/.test(src) ? { html: playerOf(element, src) } : null;
  };

/** A link around what the tag holds. */
const button: TagReader = ({ named }) => {
  const href = named['href'] ?? named['url'] ?? named['link'] ?? '';
  return href === '' ? null : { html: `<a href="${escapeHtml(href)}">` };
};

/** A link to another article: `post_link slug [title]`. */
const articleLink: TagReader = ({ positional: [name, ...title] }) =>
  name === undefined
    ? null
    : {
        html: linkTo(
          articleUrl(name),
          title.filter((each) => !/^(?:true|false)$/.test(each)).join(' '),
        ),
      };

/** Files of Jekyll's `_includes` are known by their names. */
const INCLUDES: readonly (readonly [RegExp, TagReader])[] = [
  [/youtube/i, youtube],
  [/vimeo/i, vimeo],
  [/gist/i, gist],
  [/tweet|twitter/i, tweet],
  [/figure|image|img|picture/i, figure],
];

const include: TagReader = ({ positional: [file = '', ...positional], named, source }) =>
  INCLUDES.find(([name]) => name.test(file))?.[1]({ positional, named, source }) ?? null;

const callout =
  (kind: string): TagReader =>
  ({ positional, named }) => {
    const title = named['title'] ?? positional.filter((each) => !CALLOUTS.has(each)).join(' ');
    const type = named['type'] ?? positional.find((each) => CALLOUTS.has(each)) ?? kind;
    return { html: calloutStart(type, /^\w+-/.test(title) ? '' : title) };
  };

const quote: TagReader = ({ named, source }) => {
  const author = named['author'] ?? source;
  return {
    html: `<blockquote>\n${author === '' ? '' : `<p><cite>${escapeHtml(author)}</cite></p>`}`,
  };
};

const details: TagReader = (given) => ({
  html: detailsStart(given.named['summary'] ?? given.named['title'] ?? given.positional.join(' ')),
});

const tab: TagReader = (given) => {
  const name = argumentOf(given, ['name', 'title', 'label', 'header']);
  return { html: name === '' ? '' : `<p><strong>${escapeHtml(name)}</strong></p>` };
};

/** Tags that stand alone. */
export const TAGS: ReadonlyMap<string, TagReader> = new Map<string, TagReader>([
  ['youtube', youtube],
  ['vimeo', vimeo],
  ['gist', gist],
  ['tweet', tweet],
  ['twitter', tweet],
  ['x', tweet],
  ['instagram', pageOf('https://www.instagram.com/p/')],
  ['jsfiddle', pageOf('https://jsfiddle.net/')],
  ['codesandbox', pageOf('https://codesandbox.io/s/')],
  ['spotify', pageOf('https://open.spotify.com/track/')],
  ['iframe', frame],
  ['figure', figure],
  ['image', figure],
  ['asset_img', hexoImage],
  ['img', (given) => (given.named['src'] === undefined ? hexoImage(given) : figure(given))],
  ['asset_link', fileLink],
  ['video', player('video')],
  ['audio', player('audio')],
  ['asset_path', ({ positional: [path] }) => (path === undefined ? null : { text: path })],
  ['ref', articleAddress],
  ['relref', articleAddress],
  ['link', linkTag],
  ['post_url', articleAddress],
  ['post_path', articleAddress],
  ['post_link', articleLink],
  ['include', include],
  ['include_relative', include],
  ['include_cached', include],
]);

/** Tags around a text: what stands at its beginning and its end. */
export const CONTAINERS: ReadonlyMap<string, readonly [start: TagReader, end: string]> = new Map([
  ...[...CALLOUTS].map((kind): [string, readonly [TagReader, string]] => [
    kind,
    [callout(kind), CALLOUT_END],
  ]),
  ...['blockquote', 'quote', 'centerquote', 'cq'].map(
    (name): [string, readonly [TagReader, string]] => [name, [quote, CALLOUT_END]],
  ),
  // What follows the name of this tag is a class.
  ['pullquote', [() => ({ html: '<blockquote>\n' }), CALLOUT_END]],
  ['button', [button, '</a>']],
  ...['details', 'expand', 'spoiler', 'collapse', 'fold', 'folding'].map(
    (name): [string, readonly [TagReader, string]] => [name, [details, '</details>']],
  ),
  ...['tab', 'tabitem'].map((name): [string, readonly [TagReader, string]] => [name, [tab, '']]),
  ...['tabs', 'center', 'div', 'rawhtml', 'columns', 'column', 'md', 'markdown'].map(
    (name): [string, readonly [TagReader, string]] => [name, [() => NOTHING, '']],
  ),
]);

/** Tags around code, by the name of which argument the language has. */
export const CODE_TAGS: ReadonlyMap<string, (source: string) => string> = new Map<
  string,
  (source: string) => string
>([
  ['highlight', (source) => argumentOf(tagArguments(source), ['lang', 'language'])],
  ['code', (source) => argumentOf(tagArguments(source), ['lang', 'language'])],
  ['sourcecode', (source) => argumentOf(tagArguments(source), ['lang', 'language'])],
  // Hexo names a title first, and the language as `lang:js`.
  ['codeblock', (source) => tagArguments(source).named['lang'] ?? ''],
  ['mermaid', () => 'mermaid'],
]);
