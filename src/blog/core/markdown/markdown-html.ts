import { Lexer, Marked, Parser, type MarkedOptions, type Token, type Tokens } from 'marked';
import footnote from 'marked-footnote';
import { Marks } from './marks.ts';
import { replaceOutsideCode } from './outside-code.ts';
import { GeneratorTags } from './tags/generator-tags.ts';

/** Longest text that is converted, in characters. */
export const MARKDOWN_MAX = 1_048_576;

/** Deepest nesting of blocks, and of emphasis and links within lines. */
const NESTING_MAX = 100;

/** A text cannot be converted. The message says why. */
export class MarkdownLimitError extends Error {}

export interface MarkdownForm {
  /** Whether the text is MDX, in which elements are components. */
  readonly isMdx?: boolean;
  /** Whether a first heading of level 1 is the title, and not part of the text. */
  readonly takesTitle?: boolean;
}

export interface RenderedMarkdown {
  readonly html: string;
  /** The title as HTML; null if the text has none, or it was not asked for. */
  readonly title: string | null;
  /** What was kept as it is written, and so on: sentences for the author. */
  readonly notes: readonly string[];
}

/**
 * Converts Markdown to HTML, which is not clean yet: GitHub's Markdown with footnotes, and what the usual site
 * generators add to it. The bounds hold for any text. A caller that converts the text of others does it on a
 * thread that can be ended, because the parser has no bound for its time.
 *
 * @throws MarkdownLimitError
 */
export function renderMarkdown(
  markdown: string,
  { isMdx = false, takesTitle = false }: MarkdownForm = {},
): RenderedMarkdown {
  if (markdown.length > MARKDOWN_MAX) {
    throw new MarkdownLimitError(`its text has more than ${MARKDOWN_MAX} characters of Markdown`);
  }
  const marks = new Marks();
  const tags = new GeneratorTags(marks);
  const text = isMdx ? markdown.replace(MODULE_LINES, '') : markdown;
  const marked = replaceOutsideCode(Marks.free(text), false, tags.read);
  const title = { html: null as string | null };
  const html = parserWith(marks, takesTitle ? title : null).parse(marked, { async: false });
  const notes = [...tags.kept].map(
    (name) => `text: the shortcode or tag "${name}" stays as it is written`,
  );
  return { html: marks.restore(html), title: title.html, notes };
}

/** Matches the `import` and `export` lines of MDX before the text. */
const MODULE_LINES =
  /^(?:\s*(?:import\s[^\n]*?from\s*['"][^\n]*|import\s*['"][^\n]*|export\s[^\n]*))+(?:\n|$)/;

/**
 * A parser for one text: `marked-footnote` keeps the footnotes of the text that it reads.
 *
 * @param title gets the title, which is then no part of the text; null leaves it where it is
 */
function parserWith(marks: Marks, title: { html: string | null } | null): Marked {
  const parser: Marked = new Marked(footnote(), {
    extensions: marks.extensions(3),
    renderer: {
      // Articles have no forms, so the checkbox of a task list becomes a character.
      checkbox: ({ checked }) => (checked ? '\u2611 ' : '\u2610 '),
    },
    hooks: {
      provideLexer: () => (source) => boundedLexer(parser.defaults).lex(source),
      processAllTokens(tokens) {
        const heading = title && takeTitle(tokens);
        if (heading) title.html = Parser.parseInline(heading.tokens, parser.defaults);
        return tokens;
      },
    },
  });
  return parser;
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
