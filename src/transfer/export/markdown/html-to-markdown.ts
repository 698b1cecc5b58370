import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService, { type MarkupElement } from 'turndown';

/** Blocks for which Markdown has nothing: they stay HTML, as does all that they contain. */
const HTML_BLOCKS = 'DL FIGURE DETAILS IFRAME'.split(' ');

/** The same within a line. What they contain becomes Markdown. */
const HTML_INLINE = 'U INS SUB SUP SMALL MARK KBD SAMP VAR ABBR CITE Q DFN SPAN'.split(' ');

/** Parts of lists and tables that Markdown has not. */
const PARTS_OF_HTML = /<(?:li|t[hdr]) id=|<caption/;

const HEADING = /^H[1-6]$/;

/**
 * Makes Markdown (CommonMark with the tables and strikethrough of GitHub) of the cleaned HTML of an article.
 * What Markdown cannot say stays HTML, which Markdown allows.
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
/** Of Turndown's own, a text would become an element or a reference, or would be struck through. */
service.escape = (text) =>
  escapeMarkdown(text)
    .replace(/&(?=[#\w])/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('~', '\\~');

service.addRule('html blocks', {
  filter: (node) => HTML_BLOCKS.includes(node.nodeName) || isAnchorBlock(node) || isBarePre(node),
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

/** A block with an id, to which a link leads. The ids of headings are made of their texts. */
function isAnchorBlock(node: MarkupElement): boolean {
  if (HEADING.test(node.nodeName)) return false;
  if (/^(?:UL|OL|TABLE)$/.test(node.nodeName)) {
    return hasId(node) || PARTS_OF_HTML.test(node.outerHTML);
  }
  return hasId(node) && /^(?:P|BLOCKQUOTE|PRE|HR)$/.test(node.nodeName);
}

/** Markdown's code blocks stand for a `code` in a `pre`. */
function isBarePre(node: MarkupElement): boolean {
  return node.nodeName === 'PRE' && node.firstChild?.nodeName !== 'CODE';
}

/** In Markdown, an empty line ends a block of HTML. */
function asHtmlBlock({ outerHTML }: MarkupElement): string {
  return outerHTML.replace(/\n(?=[ \t]*\n)/g, '&#10;');
}

function hasId(node: MarkupElement): boolean {
  return node.hasAttribute('id');
}

function isSized(node: MarkupElement): boolean {
  return node.hasAttribute('width') || node.hasAttribute('height');
}
