import type { Token, TokenizerAndRendererExtension, Tokens } from 'marked';
import { startInParagraph } from '../marks.ts';

const ITEM = String.raw`(?:[.#][\w:.-]{1,100}|[\w:-]{1,50}=(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|[^\s"'{}]{1,300}))`;
/** Attributes as kramdown writes them, `{: .class #id key="value"}`, and Pandoc and Hugo without the colon. */
const LIST = String.raw`\{(?::[^{}\n]{0,500}|[ \t]{0,5}${ITEM}(?:[ \t]{1,5}${ITEM}){0,20}[ \t]{0,5})\}`;
const LINE = new RegExp(`^ {0,3}(${LIST})[ \\t]*(?:\\n|$)`);
const LATER = new RegExp(`\\n {0,3}${LIST}[ \\t]*(?=\\n|$)`);
const AT_START = new RegExp(`^${LIST}`);
const WHOLE = new RegExp(`^${LIST}$`);
// The match begins where blanks begin: a search from each of many blanks would take quadratic time.
const AT_END = new RegExp(`(?<![ \\t])[ \\t]*(${LIST})[ \\t]*$`);

/** Attributes in a line of their own, which belong to the block before or after them. */
export const ATTRIBUTES: TokenizerAndRendererExtension = {
  name: 'attributes',
  level: 'block',
  start: (source) => startInParagraph(source, LATER),
  tokenizer: (source) => {
    const [raw, list] = LINE.exec(source) ?? [];
    return raw === undefined ? undefined : { type: 'attributes', raw, list };
  },
  renderer: () => '',
};

/** A tag of a block whose content is Markdown, as in kramdown and Python-Markdown: `<div markdown="1">`. */
const MARKDOWN_TAG =
  /^ {0,3}<[a-z][a-z0-9]*(?=[^>\n]{0,1000}\smarkdown(?:="(?!0)[^">\n]*"|=\w+)?[\s>])[^>\n]{0,1000}>[ \t]*(?:\n+|$)/;

/** The tag alone is HTML, so that what follows is read as Markdown. */
export const MARKDOWN_IN_HTML: TokenizerAndRendererExtension = {
  name: 'markdownInHtml',
  level: 'block',
  tokenizer: (source) => {
    const [raw] = MARKDOWN_TAG.exec(source) ?? [];
    return raw === undefined ? undefined : { type: 'html', raw, text: raw, block: true };
  },
};

/** A token with what attributes have given it. */
export type Attributed = Token & {
  /** The id of a heading. */
  id?: string;
  width?: string | undefined;
  height?: string | undefined;
};

/**
 * Applies the attributes in all tokens to what they belong to, as far as HTML without styles can say them: ids of
 * headings, languages of code and sizes of pictures.
 */
export function applyAttributes(tokens: Token[]): void {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (isListOfContents(token)) token.type = 'space';
    if (token.type === 'heading') takeFromHeading(token as Tokens.Heading);
    if (token.type === 'table') takeFromTable(token as Tokens.Table);
    if (token.type === 'attributes') {
      const list = String(token['list']);
      if (!isContents(token)) give(neighbourOf(tokens, at), list);
    } else if (token.type === 'text' && isAttributed(tokens[at - 1])) {
      const [list = ''] = AT_START.exec(token.raw) ?? [];
      if (list !== '') cutText(token as Tokens.Text, list.length, Infinity);
      give(tokens[at - 1], list);
    }
    for (const children of childrenOf(token)) applyAttributes(children);
  }
}

/** The lists of tokens within a token. */
function childrenOf(token: Token): Token[][] {
  const { type, tokens = [], items, header, rows, parts } = token as Tokens.Generic;
  if (type === 'list') return [items as Token[]];
  if (type === 'definitions') return [parts as Token[]];
  if (type !== 'table') return [tokens];
  const cells = [header as Tokens.TableCell[], ...(rows as Tokens.TableCell[][])].flat();
  return cells.map((cell) => cell.tokens);
}

/** The inline elements after which attributes may stand. */
function isAttributed(token: Token | undefined): boolean {
  return ['link', 'image', 'codespan', 'strong', 'em'].includes(token?.type ?? '');
}

/** A block directly before the attributes, else the one after them. */
function neighbourOf(tokens: readonly Token[], at: number): Token | undefined {
  const before = tokens[at - 1];
  if (before && before.type !== 'space' && !before.raw.endsWith('\n\n')) return before;
  return tokens.slice(at + 1).find(({ type }) => type !== 'space');
}

function give(token: Token | undefined, list: string): void {
  if (!token || list === '') return;
  const valueOf = (name: string): string | undefined =>
    new RegExp(`\\b${name}=["']?(\\d{1,5})(?:px)?["']?(?=[\\s}])`).exec(list)?.[1];
  const attributed = token as Attributed;
  if (token.type === 'heading') attributed.id ??= idIn(list);
  if (token.type === 'image') {
    attributed.width = valueOf('width');
    attributed.height = valueOf('height');
  }
  if (token.type === 'code') {
    const code = token as Tokens.Code;
    code.lang ||= /\.(?:language-|lang-)?([\w+#-]+)/.exec(list)?.[1] ?? '';
  }
}

function idIn(list: string): string {
  return /[\s{:]#([^\s{}]+)/.exec(list)?.[1] ?? '';
}

/** Takes `{#id}` from the end of a heading. */
function takeFromHeading(heading: Tokens.Heading): void {
  const last = heading.tokens.at(-1);
  if (last?.type !== 'text') return;
  const [whole = '', list = ''] = AT_END.exec(last.raw) ?? [];
  if (whole === '') return;
  cutText(last as Tokens.Text, 0, last.raw.length - whole.length);
  (heading as Attributed).id = idIn(list);
}

/** Removes the attributes in the line after a table, which the parser takes for its last row. */
function takeFromTable({ rows }: Tokens.Table): void {
  const [first, ...others] = rows.at(-1) ?? [];
  if (first && WHOLE.test(first.text) && others.every(({ text }) => text === '')) rows.pop();
}

function cutText(token: Tokens.Text, start: number, end: number): void {
  token.raw = token.raw.slice(start, end);
  // The text differs from what is written by escapes only, of which attributes have none.
  token.text = token.text.slice(token.text.length === token.raw.length ? 0 : start, end);
}

/** Whether it is the list in whose place kramdown puts the table of contents: `* TOC` before `{:toc}`. */
function isListOfContents(token: Token): boolean {
  if (token.type !== 'list') return false;
  return (token as Tokens.List).items.some(({ tokens }) => tokens.some(isContents));
}

function isContents(token: Token): boolean {
  return token.type === 'attributes' && /^\{:\s*toc\b/.test(String(token['list']));
}
