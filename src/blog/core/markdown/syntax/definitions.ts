import type { Token, TokenizerAndRendererExtension, Tokens } from 'marked';

/** Whether a line may be a term: no blank line, and no beginning of another block. */
const TERM = /^(?! {0,3}(?:[:>#|]|```|~~~|[-*+][ \t]|\d+[.)][ \t]|<|\{)| {4}|\t)\s*\S/;
const DEFINITION = /^ {0,3}:[ \t]+(\S.*)$/;
/** Greatest number of terms of one definition. */
const TERMS_MAX = 5;

interface Item {
  readonly name: 'dt' | 'dd';
  text: string;
}

/** Lists of terms, each followed by lines that begin with a colon, as in Markdown Extra. */
export const DEFINITIONS: TokenizerAndRendererExtension = {
  name: 'definitions',
  level: 'block',
  tokenizer(source) {
    if (!beginsList(source)) return undefined;
    const { raw, items } = readItems(source);
    const parts = items.map(({ name, text }): Tokens.Generic => {
      const isLine = name === 'dt' || !/\n\s*\n|^\s*(?:[-*+>]|\d+[.)]|```)/m.test(text.trim());
      const tokens = isLine
        ? this.lexer.inlineTokens(text.trim())
        : this.lexer.blockTokens(text, []);
      return { type: 'definition', raw: text, name, isLine, tokens };
    });
    return { type: 'definitions', raw, parts };
  },
  childTokens: ['parts'],
  renderer(token) {
    const parts = token['parts'] as { name: string; isLine: boolean; tokens: Token[] }[];
    const rendered = parts.map(({ name, isLine, tokens }) => {
      const html = isLine ? this.parser.parseInline(tokens) : this.parser.parse(tokens);
      return `<${name}>${html}</${name}>\n`;
    });
    return `<dl>\n${rendered.join('')}</dl>\n`;
  },
};

/** Whether a text begins with terms, perhaps an empty line, and a definition. */
function beginsList(source: string): boolean {
  let start = 0;
  for (let terms = 0; terms <= TERMS_MAX + 1; terms += 1) {
    const end = source.indexOf('\n', start);
    const line = end === -1 ? source.slice(start) : source.slice(start, end);
    if (DEFINITION.test(line)) return terms > 0;
    const isGap = terms > 0 && line.trim() === '';
    if (end === -1 || (!isGap && (terms >= TERMS_MAX || !isTerm(line)))) return false;
    start = end + 1;
    if (isGap) return DEFINITION.test(source.slice(start, start + 100).split('\n', 1)[0] ?? '');
  }
  return false;
}

function isTerm(line: string): boolean {
  return TERM.test(line);
}

/** Reads terms and definitions as long as they follow each other. */
function readItems(source: string): { readonly raw: string; readonly items: readonly Item[] } {
  const items: Item[] = [];
  const lineAt = lineReader(source);
  const isDefinition = (at: number): boolean => DEFINITION.test(lineAt(at) ?? '');
  const isBlank = (at: number): boolean => (lineAt(at) ?? '').trim() === '';
  /** Whether a term begins at a line: a definition follows, perhaps after an empty line. */
  const beginsTerm = (at: number): boolean =>
    isTerm(lineAt(at) ?? '') && (isDefinition(at + 1) || (isBlank(at + 1) && isDefinition(at + 2)));
  let length = 0;
  for (let at = 0, line = lineAt(at); line !== undefined; at += 1, line = lineAt(at)) {
    const definition = DEFINITION.exec(line)?.[1];
    const last = items.at(-1);
    if (definition !== undefined) items.push({ name: 'dd', text: definition });
    else if (last?.name !== 'dd') {
      if (!isBlank(at)) items.push({ name: 'dt', text: line });
    } else if (isBlank(at)) {
      const next = isBlank(at + 1) ? at + 2 : at + 1;
      const goesOn =
        /^(?: {2,}|\t)\S/.test(lineAt(next) ?? '') || isDefinition(next) || beginsTerm(next);
      if (!goesOn) break;
      last.text += '\n';
    } else if (beginsTerm(at)) items.push({ name: 'dt', text: line });
    else if (isBlank(at - 1) && !/^(?: {2,}|\t)/.test(line)) break;
    else last.text += `\n${line.replace(/^(?: {1,4}|\t)/, '')}`;
    length += line.length + 1;
  }
  return { raw: source.slice(0, length), items };
}

/**
 * Reads the lines of a text by their numbers; undefined for a line after the last one. Each line is looked for when
 * it is asked for: the text after a list may be long, and hold many lists.
 */
function lineReader(source: string): (at: number) => string | undefined {
  const lines: string[] = [];
  let start = 0;
  return (at) => {
    while (lines.length <= at && start <= source.length) {
      const end = source.indexOf('\n', start);
      const line = source.slice(start, end === -1 ? source.length : end);
      lines.push(line);
      start += line.length + 1;
    }
    return lines[at];
  };
}
