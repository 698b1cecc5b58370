import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService, { type MarkupElement } from 'turndown';

/** Blocks that Markdown cannot express: they stay HTML, with everything that they contain. */
const HTML_BLOCKS = 'DL FIGURE DETAILS IFRAME'.split(' ');

/** Inline elements that Markdown cannot express. Their content becomes Markdown. */
const HTML_INLINE = 'U INS SUB SUP SMALL MARK KBD SAMP VAR ABBR CITE Q DFN SPAN'.split(' ');

/** Matches what Markdown cannot express of lists and tables: ids of items, rows and cells, and captions. */
const HTML_PARTS = /<(?:li|t[hdr]) id=|<caption/;

const HEADING = /^H[1-6]$/;

/**
 * Makes Markdown (CommonMark with the tables and strikethrough of GitHub) of the cleaned HTML of an
 * article. What Markdown cannot express stays HTML, which Markdown allows.
 */
export function htmlToMarkdown(html: string): string {
  return service.turndown(html);
}

const service = new TurndownService({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
});
service.use(gfm);

const escapeMarkdown = service.escape.bind(service);
/**
 * Turndown itself does not escape text that Markdown would read as an element, as a character
 * reference or as strikethrough.
 */
service.escape = (text) =>
  escapeMarkdown(text)
    .replace(/&(?=[#\w])/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('~', '\\~');

service.addRule('html blocks', {
  filter: (node) => HTML_BLOCKS.includes(node.nodeName) || staysHtml(node) || isMarkedUpPre(node),
  replacement: (_content, node) => `\n\n${asHtmlBlock(node)}\n\n`,
});
service.addRule('html in lines', {
  filter: (node) => HTML_INLINE.includes(node.nodeName) || (node.nodeName === 'A' && hasId(node)),
  replacement: (content, node) => {
    const [start = ''] = node.outerHTML.split('>', 1);
    return `${start}>${content}</${node.nodeName.toLowerCase()}>`;
  },
});
service.addRule('code with marks or links', {
  filter: (node) => node.nodeName === 'CODE' && !isText(node),
  replacement: (_content, { outerHTML }) => outerHTML.replace(/>[^<]+/g, withoutMarkdown),
});
service.addRule('emphasis within strong text', {
  // `***a***` would be strong text within emphasis.
  filter: (node) => /^(?:EM|I)$/.test(node.nodeName) && node.parentNode?.nodeName === 'STRONG',
  replacement: (content) => (content.trim() === '' ? '' : `_${content}_`),
});
service.addRule('sized pictures', {
  filter: (node) => node.nodeName === 'IMG' && (hasId(node) || isSized(node)),
  replacement: (_content, node) => node.outerHTML,
});

/**
 * Whether the element is a block with an id to which a link leads, or a list or a table with HTML_PARTS.
 * Headings do not count, since their ids are made of their texts.
 */
function staysHtml(node: MarkupElement): boolean {
  if (HEADING.test(node.nodeName)) return false;
  if (/^(?:UL|OL|TABLE)$/.test(node.nodeName)) {
    return hasId(node) || HTML_PARTS.test(node.outerHTML);
  }
  return hasId(node) && /^(?:P|BLOCKQUOTE|PRE|HR)$/.test(node.nodeName);
}

/**
 * Whether the element is a `pre` that Markdown cannot express: its code blocks have a `code` that holds all of the
 * text, and neither marks nor links.
 */
function isMarkedUpPre(node: MarkupElement): boolean {
  return (
    node.nodeName === 'PRE' &&
    !(
      node.firstChild?.nodeName === 'CODE' &&
      node.childNodes.length === 1 &&
      isText(node.firstChild)
    )
  );
}

/** Whether the element holds text only. */
function isText({ innerHTML }: MarkupElement): boolean {
  return !innerHTML.includes('<');
}

/** The text of HTML with references for the characters that mean something in Markdown. */
function withoutMarkdown(text: string): string {
  return text.replace(/[*_~`[\]\\!:@\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The block as HTML without empty lines, because in Markdown an empty line ends a block of HTML. */
function asHtmlBlock({ outerHTML }: MarkupElement): string {
  return outerHTML.replace(/\n(?=[ \t]*\n)/g, '&#10;');
}

function hasId(node: MarkupElement): boolean {
  return node.hasAttribute('id');
}

function isSized(node: MarkupElement): boolean {
  return node.hasAttribute('width') || node.hasAttribute('height');
}
