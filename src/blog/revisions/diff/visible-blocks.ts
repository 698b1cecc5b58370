import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

/** This file imports no other source file at run time: see `diff.worker.ts`. */

/** The elements that begin and end a block. All others are inline. */
const BLOCK_ELEMENTS = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote pre figure figcaption ' +
    'table caption colgroup thead tbody tfoot tr th td details summary video audio'
  ).split(' '),
);

/**
 * Character that stands for the opening bracket of a token until the block is complete, so that text
 * of the author is never mistaken for a token. Clean HTML does not contain this character.
 */
const TOKEN_START = '\x01';

/** Matches text of the author that looks like the beginning of a token. */
const FALSE_TOKEN_START = /\[(?=(?:image|link|embed|video|audio|source|track|checkbox): )/g;

/** The whitespace of HTML, which is collapsed. Other blanks, such as no-break spaces, are kept. */
const WHITESPACE = /[\t\n\f\r ]+/g;

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * The text of an article as a reader sees it, block by block: one text for each paragraph, heading, list
 * item, table cell and so on. Whitespace is collapsed except in `pre`, and `br` is a line break. Blocks
 * without text are left out.
 *
 * Images, link targets, embeds, files to play and boxes of tasks are tokens in the text, so that a
 * change of them is a change of the text: `[image: alt text, URL]`, `[embed: URL]`, `[video: URL]`,
 * `[checkbox: checked]` and, after the text of the link, `[link: URL]`. Where an author has written
 * such a text, a backslash precedes the bracket.
 *
 * @param html what `cleanHtml` returned: its depth is limited
 * @returns texts that are not blank
 */
export function visibleBlocks(html: string): string[] {
  const blocks: string[] = [];
  let text = '';

  function endBlock(isPreformatted: boolean): void {
    const block = finishBlock(text, isPreformatted);
    if (block.trim() !== '') blocks.push(block);
    text = '';
  }

  function visit(nodes: readonly Node[], isPreformatted: boolean): void {
    for (const node of nodes) {
      if (defaultTreeAdapter.isTextNode(node)) {
        text += isPreformatted ? node.value : node.value.replace(WHITESPACE, ' ');
      } else if (defaultTreeAdapter.isElementNode(node)) {
        visitElement(node, isPreformatted);
      }
    }
  }

  function visitElement(element: Element, isPreformatted: boolean): void {
    const { tagName, childNodes } = element;
    const isBlock = BLOCK_ELEMENTS.has(tagName);
    const isPreformattedInside = isPreformatted || tagName === 'pre';
    if (isBlock) endBlock(isPreformatted);
    visit(childNodes, isPreformattedInside);
    text += TOKENS[tagName]?.(element) ?? '';
    if (isBlock) endBlock(isPreformattedInside);
  }

  visit(parseFragment(html).childNodes, false);
  endBlock(false);
  return blocks;
}

/** The text that stands for what an inline element shows in addition to its content. */
const TOKENS: Readonly<Record<string, (element: Element) => string>> = {
  br: () => '\n',
  img: (element) =>
    token('image', wordsOf(element, 'alt'), urlOf(element, 'src'), valueOf(element, 'srcset')),
  video: (element) => token('video', urlOf(element, 'src'), urlOf(element, 'poster')),
  audio: (element) => token('audio', urlOf(element, 'src')),
  source: (element) =>
    token(
      'source',
      urlOf(element, 'src'),
      valueOf(element, 'srcset'),
      valueOf(element, 'media'),
      valueOf(element, 'type'),
    ),
  track: (element) => token('track', wordsOf(element, 'label'), urlOf(element, 'src')),
  input: (element) =>
    token('checkbox', attribute(element, 'checked') === undefined ? 'unchecked' : 'checked'),
  iframe: (element) => token('embed', urlOf(element, 'src')),
  a: (element) => {
    const url = urlOf(element, 'href');
    return url === '' ? '' : token('link', url);
  },
};

/** @param parts what the token says; '' for parts that the element lacks. Without any there is no token. */
function token(kind: string, ...parts: readonly string[]): string {
  const content = parts.filter((part) => part !== '').join(', ');
  return content === '' ? '' : ` ${TOKEN_START}${kind}: ${content}]`;
}

/** Words of the author, in which a bracket would end the token. */
function wordsOf(element: Element, name: string): string {
  return valueOf(element, name).replace(/[[\]]/g, '\\$&');
}

function valueOf(element: Element, name: string): string {
  return attribute(element, name)?.replace(WHITESPACE, ' ').trim() ?? '';
}

/** The URL as one word: blanks are encoded as browsers do it. */
function urlOf(element: Element, name: string): string {
  return attribute(element, name)?.replaceAll(' ', '%20') ?? '';
}

function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((each) => each.name === name)?.value;
}

function finishBlock(text: string, isPreformatted: boolean): string {
  const escaped = text.replace(FALSE_TOKEN_START, '\\[').replaceAll(TOKEN_START, '[');
  if (isPreformatted) return escaped;
  return escaped
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
