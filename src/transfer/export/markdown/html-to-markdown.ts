import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService, { type MarkupElement } from 'turndown';

/** Blocks that Markdown cannot express: they stay HTML, with everything that they contain. */
const HTML_BLOCKS = 'DL FIGURE DETAILS IFRAME VIDEO AUDIO'.split(' ');

/** Inline elements that Markdown cannot express. Their content becomes Markdown. */
const HTML_INLINE =
  'U INS SUB SUP SMALL MARK KBD SAMP VAR ABBR CITE Q DFN SPAN BDI BDO RUBY RT RP'.split(' ');

/** Matches what Markdown cannot express of lists and tables: some attributes, captions and columns. */
const HTML_PARTS =
  /<(?:ol|ul|li|t[hdr])(?: [^>]*)? (?:id|dir|lang|value|reversed|type|headers|abbr)="|<(?:caption|col)/;

const HEADING = /^H[1-6]$/;
/** The blocks besides headings, lists and tables that Markdown can express. */
const BLOCK = /^(?:P|BLOCKQUOTE|PRE|HR)$/;
/** Lists and tables, and what they consist of. */
const BLOCK_PART = /^(?:UL|OL|LI|TABLE|CAPTION|COLGROUP|COL|THEAD|TBODY|TFOOT|TR|TH|TD)$/;

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
  filter: (node) =>
    HTML_INLINE.includes(node.nodeName) ||
    (node.nodeName === 'A' && (hasId(node) || node.hasAttribute('rel'))) ||
    (!isBlock(node) && hasLanguage(node)),
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
service.addRule('task boxes outside the line of an item', {
  filter: ({ nodeName, parentNode }) => nodeName === 'INPUT' && parentNode?.nodeName !== 'LI',
  replacement: (_content, node) => {
    if (!beginsItem(node)) return node.outerHTML;
    return node.hasAttribute('checked') ? '[x] ' : '[ ] ';
  },
});
service.addRule('sized pictures', {
  filter: (node) =>
    node.nodeName === 'PICTURE' || (node.nodeName === 'IMG' && (hasId(node) || isSized(node))),
  replacement: (_content, node) => node.outerHTML,
});

/**
 * Whether the element is a block with a language or direction or with an id to which a link leads,
 * or a list or a table with HTML_PARTS. The ids of headings do not count, since they are made of
 * their texts.
 */
function staysHtml(node: MarkupElement): boolean {
  if (HEADING.test(node.nodeName)) return hasLanguage(node);
  if (/^(?:UL|OL|TABLE)$/.test(node.nodeName)) {
    return hasId(node) || HTML_PARTS.test(node.outerHTML);
  }
  return BLOCK.test(node.nodeName) && (hasId(node) || hasLanguage(node));
}

/** Whether a rule for blocks decides about the element, or about the block that it belongs to. */
function isBlock({ nodeName }: MarkupElement): boolean {
  return HEADING.test(nodeName) || BLOCK.test(nodeName) || BLOCK_PART.test(nodeName);
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

/** Whether the element begins the first paragraph of a list item. */
function beginsItem(node: MarkupElement): boolean {
  const paragraph = node.parentNode;
  const item = paragraph?.parentNode;
  return item?.nodeName === 'LI' && item.firstChild === paragraph && paragraph?.firstChild === node;
}

/** Whether the element holds text only. */
function isText({ innerHTML }: MarkupElement): boolean {
  return !innerHTML.includes('<');
}

/** The text of HTML with references for the characters that mean something in Markdown. */
function withoutMarkdown(text: string): string {
  return text.replace(/[*_~`[\]\\!:@\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The block as HTML without empty lines, because in Markdown an empty line ends a block of HTML. The
 * line break at the start of a `pre` is written twice, because parsers drop the first one.
 */
function asHtmlBlock({ outerHTML }: MarkupElement): string {
  return outerHTML.replace(/(<pre[^>]*>)\n/g, '$1\n\n').replace(/\n(?=[ \t]*\n)/g, '&#10;');
}

function hasId(node: MarkupElement): boolean {
  return node.hasAttribute('id');
}

function isSized(node: MarkupElement): boolean {
  return ['width', 'height', 'srcset'].some((name) => node.hasAttribute(name));
}

function hasLanguage(node: MarkupElement): boolean {
  return node.hasAttribute('dir') || node.hasAttribute('lang');
}
