import { percentDecoded } from '../../../../platform/text/percent-decoded.js';
import { escapeHtml } from '../../../../platform/text/escape-html.js';
import { audioOf, bookmarkOf, embedOf, figureOf, playerUrl, videoOf } from '../../html/media.js';
import { parsed } from '../blocks.js';
import type { ShortcodeAttributes, WordpressContext } from '../wordpress-context.js';

/** The shortcodes of page builders: Divi, WPBakery, Avada, Enfold, Themify, Cornerstone, King Composer, Flatsome. */
const BUILDER = /^(?:et_pb|vc|fusion|av|themify|cs|x|kc|ux|dslc|tatsu|bt_bb|mk)_/;
/** Containers that themes have under plain names. */
const CONTAINERS =
  /^(?:row|row_inner|column|col|col_inner|columns|section|one_half|one_third|two_third|one_fourth|three_fourth|full_width)(?:_last)?$/;

/** Whether a shortcode is one of a page builder, of which only what readers see is kept. */
export function isBuilder(name: string): boolean {
  return BUILDER.test(name) || CONTAINERS.test(name);
}

const first = (given: ShortcodeAttributes, names: readonly string[]): string => {
  const name = names.find((each) => (given[each] ?? '') !== '');
  return name === undefined ? '' : decoded(given[name] ?? '');
};

/** What readers see of the attributes of an element of a page builder. What it holds follows in the text. */
export function builderHtml(
  name: string,
  given: ShortcodeAttributes,
  { attachments }: WordpressContext,
): string {
  const parts: string[] = [];
  const isImage = /image|img|picture|photo/.test(name);
  const heading = first(given, [
    'title',
    'heading',
    'main_heading',
    'headline',
    'tab_title',
    'question',
  ]);
  const text = /heading|title/.test(name) ? first(given, ['text', 'content']) : '';
  const [tag = 'h3'] = /h[1-6]/.exec(`${given['font_container'] ?? ''}${given['tag'] ?? ''}`) ?? [];
  if (heading !== '' && !isImage) parts.push(`<${tag}>${heading}</${tag}>`);
  if (text !== '') parts.push(`<${tag}>${text}</${tag}>`);
  for (const id of first(given, ['gallery_ids', 'images', 'image_ids', 'ids']).split(',')) {
    const picture = attachments.get(id.trim());
    if (picture) parts.push(figureOf({ src: picture.url, alt: picture.alt }, picture.caption));
  }
  const image = first(
    given,
    isImage ? ['src', 'image', 'image_url', 'url', 'id'] : ['image', 'image_url', 'portrait_url'],
  );
  const picture = attachments.get(image) ?? { url: image, alt: '', caption: '' };
  if (/^https?:|^\//.test(picture.url)) {
    const alt = first(given, ['alt', 'image_alt', 'title_text']) || picture.alt;
    parts.push(figureOf({ src: picture.url, alt }, picture.caption));
  }
  if (/video/.test(name))
    parts.push(playerOf(first(given, ['link', 'src', 'video', 'mp4', 'url'])));
  if (/audio/.test(name)) {
    const src = first(given, ['audio', 'src', 'mp3', 'url']);
    if (src !== '') parts.push(audioOf(src));
  }
  const label = first(given, [
    'button_text',
    ...(/button|btn|cta/.test(name) ? ['text', 'label'] : []),
  ]);
  const url = linkIn(first(given, ['button_url', 'button_link', 'link', 'url', 'href']));
  if (label !== '' && url !== '') parts.push(bookmarkOf(url, label));
  if (/divider|separator/.test(name)) parts.push('<hr>');
  return parts.filter((part) => part !== '').join('\n');
}

/** Divi writes quotes and brackets of attributes in a way of its own. */
function decoded(value: string): string {
  return value.replace(/%22/g, '"').replace(/%91/g, '[').replace(/%93/g, ']').trim();
}

/** WPBakery writes `url:https%3A%2F%2Fa.example|title:A`. */
function linkIn(value: string): string {
  const given = /^url:([^|]*)/.exec(value)?.[1];
  if (given === undefined) return /^(?:https?:|\/|mailto:)/.test(value) ? value : '';
  return percentDecoded(given);
}

function playerOf(url: string): string {
  if (!/^https?:/.test(url)) return '';
  return playerUrl(url) === null ? videoOf(url) : embedOf(url);
}

/** Matches raw HTML of WPBakery, which is encoded; blanks in it mean nothing. */
const RAW_HTML = /\[vc_raw_html[^\]]{0,1000}\]([\w+/=%\s]{0,200000})\[\/vc_raw_html\]/gi;

export function withRawHtml(text: string): string {
  return text.replace(RAW_HTML, (_, code: string) => {
    try {
      return `\n\n${decodeURIComponent(Buffer.from(code, 'base64').toString('utf8'))}\n\n`;
    } catch {
      return '';
    }
  });
}

/** Greatest depth of elements of Elementor within each other. */
const DEPTH_MAX = 50;

/** The HTML of the data of Elementor, for articles that hold nothing else. */
export function elementorHtml(json: string): string {
  const data = parsed(json);
  return Array.isArray(data) ? data.map((element) => elementHtml(element, 0)).join('\n') : '';
}

type Settings = Readonly<Record<string, unknown>>;

function elementHtml(element: unknown, depth: number): string {
  if (depth > DEPTH_MAX) return '';
  const { settings, elements, widgetType } = Object(element) as Settings;
  const own =
    typeof widgetType === 'string' ? widgetHtml(widgetType, Object(settings) as Settings) : '';
  const inner = Array.isArray(elements) ? elements.map((each) => elementHtml(each, depth + 1)) : [];
  return [own, ...inner].filter((part) => part !== '').join('\n');
}

function widgetHtml(type: string, settings: Settings): string {
  const text = (name: string): string => {
    const value = settings[name];
    return typeof value === 'string' ? value : '';
  };
  const urlIn = (name: string): string => {
    const { url } = Object(settings[name]) as { readonly url?: unknown };
    return typeof url === 'string' ? url : '';
  };
  const listIn = (name: string): readonly Settings[] => {
    const value = settings[name];
    return Array.isArray(value) ? value.map((each) => Object(each) as Settings) : [];
  };
  const image = urlIn('image');
  const pictures = [...listIn('wp_gallery'), ...listIn('carousel'), ...listIn('gallery')];
  const video = text('youtube_url') || text('vimeo_url') || urlIn('hosted_url');
  const heading = text('title') || text('title_text') || text('heading');
  const level = /^h[1-6]$/.test(text('header_size')) ? text('header_size') : 'h2';
  const label = text('text') || text('button_text') || text('button');
  return [
    heading === '' || type === 'image' ? '' : `<${level}>${heading}</${level}>`,
    image === '' ? '' : figureOf({ src: image }, text('caption')),
    ...pictures.map(({ url }) => (typeof url === 'string' ? figureOf({ src: url }) : '')),
    /video/.test(type) && video !== ''
      ? playerUrl(video) === null
        ? videoOf(video)
        : embedOf(video)
      : '',
    text('editor') || text('html') || text('shortcode'),
    paragraph(text('description_text') || text('description') || text('testimonial_content')),
    paragraph(text('blockquote_content') && `<q>${text('blockquote_content')}</q>`),
    ...[...listIn('tabs'), ...listIn('icon_list')].map((item) => {
      const [title, content] = [item['tab_title'] ?? item['text'], item['tab_content']];
      const shown = typeof title === 'string' ? title : '';
      return typeof content === 'string' ? `<h3>${shown}</h3>${content}` : paragraph(shown);
    }),
    /button|call-to-action/.test(type) && label !== ''
      ? bookmarkOf(urlIn('link') || '#', label)
      : '',
    type === 'divider' ? '<hr>' : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function paragraph(html: string): string {
  return html === ''
    ? ''
    : /^\s*</.test(html)
      ? html
      : `<p>${escapeHtml(html).replace(/&amp;/g, '&')}</p>`;
}
