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
  filter: (node) => HTML_BLOCKS.includes(node.nodeName) || staysHtml(node) || isBarePre(node),
  replacement: (_content, node) => `\n\n${asHtmlBlock(node)}\n\n`,
});
service.addRule('html in lines', {
  filter: (node) => HTML_INLINE.includes(node.nodeName) || (node.nodeName === 'A' && hasId(node)),
  replacement: (content, node) => {
    const [start = ''] = node.outerHTML.split('>', 1);
    return `${start}>${content}</${node.nodeName.toLowerCase()}>`;
  },
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

/** Whether the element is a `pre` without a `code`, which Markdown cannot express: its code blocks have both. */
function isBarePre(node: MarkupElement): boolean {
  return node.nodeName === 'PRE' && node.firstChild?.nodeName !== 'CODE';
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
