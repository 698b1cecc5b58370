import { Lexer, Marked, Parser, type MarkedOptions, type Token, type Tokens } from 'marked';
import footnote from 'marked-footnote';
import { escapeHtml } from '../../../platform/text/escape-html.ts';
import type { Marks } from './marks.ts';
import {
  applyAttributes,
  ATTRIBUTES,
  MARKDOWN_IN_HTML,
  type Attributed,
} from './syntax/attributes.ts';
import { containers } from './syntax/containers.ts';
import { DEFINITIONS } from './syntax/definitions.ts';
import { MATH } from './syntax/math.ts';
import { sized, wiki } from './syntax/wiki.ts';
import { figureOf } from './tags/elements.ts';

/** Deepest nesting of blocks, and of emphasis and links within lines. */
const NESTING_MAX = 100;
/** Greatest number of cells of a table. */
const CELLS_MAX = 200_000;

/** A text cannot be converted. The message says why. */
export class MarkdownLimitError extends Error {}

/** Stands for the heading of the footnotes. */
export const FOOTNOTES = '<h2 id="footnote-label" class="sr-only"></h2>';

interface RenderingOptions {
  readonly marks: Marks;
  /** Gets what the author should know. */
  readonly notes: Set<string>;
  readonly isMdx: boolean;
  /** The paths of embedded files by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether a first heading of level 1 is the title, and not part of the text. */
  readonly takesTitle: boolean;
}

/** Renders one text: `marked-footnote` keeps the footnotes of the text that it reads. */
export class Rendering {
  /** The title as HTML, once the text was rendered; null if there is none. */
  title: string | null = null;
  private readonly parser: Marked;
  private readonly takesTitle: boolean;

  constructor({ marks, notes, isMdx, files, takesTitle }: RenderingOptions) {
    this.takesTitle = takesTitle;
    this.parser = new Marked(footnote({ description: '' }), {
      extensions: [
        // Components of MDX may be indented by any number of blanks, and no indented text is code.
        ...marks.extensions(isMdx ? 100 : 3),
        ...MATH,
        ...wiki(notes, files),
        containers(notes),
        DEFINITIONS,
        // In MDX braces are expressions.
        ...(isMdx ? [] : [ATTRIBUTES, MARKDOWN_IN_HTML]),
      ],
      tokenizer: {
        // A row may leave out its cells, so that a short text could make a table of millions.
        table(source) {
          const cells = cellsOf(source);
          if (cells <= CELLS_MAX) return false;
          throw new MarkdownLimitError(`one of its tables has more than ${CELLS_MAX} cells`);
        },
        ...(isMdx ? { code: () => undefined } : {}),
      },
      renderer: {
        code: ({ text, lang }) => codeOf(marks.written(text), lang),
        codespan: ({ text }) => `<code>${escapeHtml(marks.written(text))}</code>`,
        image: (token) => imageOf(token),
        link: (token) => linkOf(token),
        paragraph({ tokens }) {
          const html = this.parser.parseInline(tokens);
          return isBlock(tokens[0]) && isBlock(tokens.at(-1)) ? `${html}\n` : `<p>${html}</p>\n`;
        },
        heading({ tokens, depth, ...heading }) {
          const id = (heading as Attributed).id ?? '';
          const attribute = id === '' ? '' : ` id="${escapeHtml(id)}"`;
          return `<h${depth}${attribute}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
        },
      },
      hooks: {
        provideLexer: () => (source) => boundedLexer(this.parser.defaults).lex(source),
        processAllTokens: (tokens) => this.finish(tokens),
      },
    });
  }

  /** @throws MarkdownLimitError */
  htmlOf(markdown: string): string {
    try {
      return this.parser.parse(markdown, { async: false });
    } catch (error) {
      // The parser adds a line to the message of any error, which asks to report it.
      if (error instanceof MarkdownLimitError) error.message = error.message.split('\n', 1)[0]!;
      throw error;
    }
  }

  private finish<Tokens extends Token[]>(tokens: Tokens): Tokens {
    applyAttributes(tokens);
    const heading = this.takesTitle ? takeTitle(tokens) : null;
    if (heading) this.title = Parser.parseInline(heading.tokens, this.parser.defaults);
    return tokens;
  }
}

/** A block of code. Generators write more than the language after the fence, such as `{.python #id}` or `js{1,3}`. */
function codeOf(text: string, info = ''): string {
  const [, name = ''] =
    /^\{?\s*\.?(?:language-|lang[-=:])?([\w+#-][\w+#.-]*)/.exec(info.trim()) ?? [];
  const isLanguage = name !== '' && !/^\{?\s*\w+=/.test(info.trim());
  const attribute = isLanguage ? ` class="language-${escapeHtml(name)}"` : '';
  return `<pre><code${attribute}>${escapeHtml(text.replace(/\n$/, ''))}\n</code></pre>\n`;
}

/** The number of cells of a table at the beginning of a text; 0 if there is none. */
function cellsOf(source: string): number {
  const [first = '', second = ''] = source.slice(0, 20_000).split('\n', 2);
  if (!/^[\s|:-]+$/.test(second) || !first.includes('|')) return 0;
  const end = source.indexOf('\n\n');
  const rows = (end === -1 ? source : source.slice(0, end)).split('\n').length;
  return rows * first.split('|').length;
}

/** Whether a token is the tag of a block. */
function isBlock(token: Token | undefined): boolean {
  return token?.type === 'inlineMark' && token['isBlock'] === true;
}

/** Only a picture with a size differs from what the parser writes. */
function imageOf({ href, text, title, ...image }: Tokens.Image): string | false {
  const { alt, ...size } = sized(text, text);
  const { width = size.width, height = size.height } = image as Partial<Attributed>;
  if (width === undefined && height === undefined) return false;
  return figureOf({ src: href, alt, caption: escapeHtml(title ?? ''), width, height });
}

/** Zola begins the path of another file with an at sign. */
function linkOf(token: Tokens.Link): false {
  const [, path, fragment = ''] = /^@(\/[^#]*)(#.*)?$/.exec(token.href) ?? [];
  if (path !== undefined) token.href = path.replace(/(?:_index)?\.md$/, '') + fragment;
  return false;
}

/** A lexer that counts how deep the text is nested, before its recursion overflows. */
function boundedLexer(options: MarkedOptions<string, string>): Lexer {
  const lexer = new Lexer(options);
  let depth = 0;
  const bounded =
    <Arguments extends unknown[], Result>(read: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      depth += 1;
      if (depth > NESTING_MAX) {
        throw new MarkdownLimitError(`its text is nested deeper than ${NESTING_MAX} levels`);
      }
      try {
        return read(...given);
      } finally {
        depth -= 1;
      }
    };
  lexer.blockTokens = bounded<never[], never>(lexer.blockTokens.bind(lexer) as () => never);
  lexer.inlineTokens = bounded(lexer.inlineTokens.bind(lexer));
  return lexer;
}

/** Removes a first heading of level 1 from the tokens, and returns it. */
function takeTitle(tokens: Token[]): Tokens.Heading | null {
  const at = tokens.findIndex(({ type }) => !['space', 'def', 'footnotes'].includes(type));
  const first = tokens[at] as Tokens.Heading | undefined;
  if (first?.type !== 'heading' || first.depth !== 1) return null;
  tokens.splice(at, 1);
  return first;
}
