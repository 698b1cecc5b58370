import { escapeHtml } from '../../../platform/text/escape-html.js';
import { renderMarkdown } from '../../../blog/core/markdown/markdown-html.js';
import {
  attributeOf,
  elementsIn,
  findIn,
  hasClass,
  innerHtml,
  parseHtml,
  replace,
  textIn,
  type HtmlElement,
} from '../html/dom.js';
import { audioOf, bookmarkOf, detailsOf, embedOf, figureOf, videoOf } from '../html/media.js';

/** The data of a card of the editor. */
export type CardData = Readonly<Record<string, unknown>>;

/** What a reader sees of a card, from its data in the document of the editor. */
export function cardHtml(type: string, data: CardData): string {
  return CARDS[type]?.(data) ?? '';
}

const text = (data: unknown, name: string): string => {
  const value = (Object(data) as CardData)[name];
  return typeof value === 'string' ? value : '';
};

const button = (label: string, url: string): string =>
  label === '' || url === '' ? '' : bookmarkOf(url, label);

const heading = (html: string): string => (html === '' ? '' : `<h3>${html}</h3>`);

const paragraph = (html: string): string =>
  html === '' || /^\s*<(?:p|h\d|ul|ol|blockquote)\b/i.test(html) ? html : `<p>${html}</p>`;

const CARDS: Readonly<Record<string, (data: CardData) => string>> = {
  image: (data) =>
    figureOf(
      { src: text(data, 'src'), alt: text(data, 'alt'), href: text(data, 'href') },
      text(data, 'caption'),
    ),
  gallery: (data) => {
    const images = Array.isArray(data['images']) ? (data['images'] as unknown[]) : [];
    const figures = images.map((image) =>
      figureOf({ src: text(image, 'src'), alt: text(image, 'alt') }, text(image, 'caption')),
    );
    return `${figures.join('')}${paragraph(text(data, 'caption'))}`;
  },
  video: (data) =>
    videoOf(
      text(data, 'src'),
      text(data, 'caption'),
      text(data, 'customThumbnailSrc') || text(data, 'thumbnailSrc'),
    ),
  audio: (data) => audioOf(text(data, 'src'), escapeHtml(text(data, 'title'))),
  file: (data) =>
    bookmarkOf(
      text(data, 'src'),
      text(data, 'fileTitle') || text(data, 'fileName'),
      text(data, 'fileCaption'),
    ),
  bookmark: (data) => {
    const { metadata } = data;
    const title = text(metadata, 'title') || text(data, 'title');
    return `${bookmarkOf(text(data, 'url'), title, text(metadata, 'description'))}${paragraph(text(data, 'caption'))}`;
  },
  embed: (data) => {
    const html = text(data, 'html');
    if (html === '' || /<script\b/i.test(html))
      return embedOf(text(data, 'url'), text(data, 'caption'));
    const caption = text(data, 'caption');
    return `<figure>${html}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
  },
  callout: (data) => calloutOf(text(data, 'calloutEmoji'), text(data, 'calloutText')),
  toggle: (data) => detailsOf(text(data, 'heading'), text(data, 'content')),
  button: (data) => button(text(data, 'buttonText'), text(data, 'buttonUrl')),
  html: (data) => text(data, 'html'),
  markdown: (data) => {
    const markdown = text(data, 'markdown');
    return renderMarkdown(markdown, { form: 'markdown', takesTitle: false }).html;
  },
  codeblock: (data) => {
    const language = text(data, 'language').replace(/[^\w+#-]/g, '');
    const code = `<pre><code class="language-${language || 'text'}">${escapeHtml(text(data, 'code'))}</code></pre>`;
    return `${code}${paragraph(text(data, 'caption'))}`;
  },
  horizontalrule: () => '<hr>',
  header: (data) =>
    [
      heading(text(data, 'header') || text(data, 'heading')),
      paragraph(text(data, 'subheader') || text(data, 'subheading')),
      button(text(data, 'buttonText'), text(data, 'buttonUrl')),
    ].join(''),
  product: (data) =>
    [
      heading(text(data, 'productTitle')),
      text(data, 'productImageSrc') === '' ? '' : figureOf({ src: text(data, 'productImageSrc') }),
      paragraph(text(data, 'productDescription')),
      button(text(data, 'productButton'), text(data, 'productUrl')),
    ].join(''),
  'call-to-action': (data) =>
    [
      text(data, 'imageUrl') === '' ? '' : figureOf({ src: text(data, 'imageUrl') }),
      paragraph(text(data, 'textValue')),
      button(text(data, 'buttonText'), text(data, 'buttonUrl')),
    ].join(''),
};

function calloutOf(emoji: string, html: string): string {
  return `<blockquote><p>${escapeHtml(emoji)} ${html.replace(/^<p>([\s\S]*)<\/p>$/, '$1')}</p></blockquote>`;
}

/** How the HTML of a card becomes what a reader sees of it, without the buttons of its player. */
const CARD_ELEMENTS: Readonly<Record<string, (card: HtmlElement) => string>> = {
  'kg-bookmark-card': (card) => {
    const url = attributeOf(findIn(card, '.kg-bookmark-container'), 'href');
    const title = textIn(findIn(card, '.kg-bookmark-title'));
    const description = textIn(findIn(card, '.kg-bookmark-description'));
    const caption = innerHtml(findIn(card, 'figcaption'));
    return `${bookmarkOf(url, title, description)}${paragraph(caption)}`;
  },
  'kg-toggle-card': (card) =>
    detailsOf(
      innerHtml(findIn(card, '.kg-toggle-heading-text')),
      innerHtml(findIn(card, '.kg-toggle-content')),
    ),
  'kg-callout-card': (card) =>
    calloutOf(
      textIn(findIn(card, '.kg-callout-emoji')),
      innerHtml(findIn(card, '.kg-callout-text')),
    ),
  'kg-audio-card': (card) =>
    audioOf(attributeOf(findIn(card, 'audio'), 'src'), innerHtml(findIn(card, '.kg-audio-title'))),
  'kg-video-card': (card) => {
    const video = findIn(card, 'video');
    const poster =
      attributeOf(card, 'data-kg-custom-thumbnail') || attributeOf(card, 'data-kg-thumbnail');
    return videoOf(attributeOf(video, 'src'), innerHtml(findIn(card, 'figcaption')), poster);
  },
  'kg-file-card': (card) => {
    const name = textIn(findIn(card, '.kg-file-card-filename'));
    const title = textIn(findIn(card, '.kg-file-card-title'));
    const details = [
      textIn(findIn(card, '.kg-file-card-caption')),
      title === '' ? '' : name,
      textIn(findIn(card, '.kg-file-card-filesize')),
    ];
    const url = attributeOf(findIn(card, 'a'), 'href');
    return bookmarkOf(url, title || name, details.filter((part) => part !== '').join(', '));
  },
  // A form to subscribe: articles have no forms.
  'kg-signup-card': () => '',
};

/** Matches the class of a card that is converted. */
const HAS_CARD = new RegExp(Object.keys(CARD_ELEMENTS).join('|'));

/** Replaces the cards in the HTML of a post by what a reader sees of them. */
export function withPlainCards(html: string): string {
  if (!HAS_CARD.test(html)) return html;
  const fragment = parseHtml(html);
  for (const [className, convert] of Object.entries(CARD_ELEMENTS)) {
    const cards = elementsIn(fragment, (element) => hasClass(element, className));
    for (const card of cards) replace(card, convert(card));
  }
  return innerHtml(fragment);
}
