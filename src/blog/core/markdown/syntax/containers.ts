import type { Token, TokenizerAndRendererExtension, TokenizerThis } from 'marked';
import { startInParagraph } from '../marks.ts';
import { CALLOUTS } from '../tags/elements.ts';

/** `:::note Title`, `:::note[Title]`, `::: {.note title="Title"}`. */
const COLONS = /^ {0,3}(:{3,})[ \t]*(?:\{\.?)?([\w-]+)\}?([^\n]*)(?:\n|$)/;
/** `!!! note "Title"`, with its text indented; `???` can be folded. */
const MARKED =
  /^ {0,3}(!!!|\?\?\?\+?)[ \t]+([\w-]+)([^\n]*)\n((?:(?: {4}|\t)[^\n]*(?:\n|$)|[ \t]*\n)*)/;
/** `=== "Title"`, a tab with its text indented. */
const TAB = /^ {0,3}===[!+]?[ \t]+"([^"\n]*)"[ \t]*\n((?:(?: {4}|\t)[^\n]*(?:\n|$)|[ \t]*\n)*)/;
/** `> [!NOTE] Title`, in which `-` or `+` says that it can be folded. */
const ALERT =
  /^ {0,3}>[ \t]?\[!([\w-]+)(?:\|[^\]\n]*)?\]([+-]?)[ \t]*([^\n]*)(?:\n|$)((?: {0,3}>[^\n]*(?:\n|$))*)/;
const LATER =
  /\n(?: {0,3}>[ \t]?\[![\w-]+| {0,3}(?::{3,}[ \t]*[\w{]|(?:!!!|\?\?\?\+?)[ \t]+\w|===[!+]?[ \t]+"))/;

/** Greatest number of lines in which the ends of all containers of a text are looked for. */
const LINES_MAX = 100_000;

interface Container {
  readonly raw: string;
  readonly kind: string;
  readonly title: string;
  readonly isFolded: boolean;
  /** Whether it is a callout of any kind, or a tab; undefined if its kind says that. */
  readonly role?: 'callout' | 'tab';
  readonly text: string;
}

/**
 * Callouts of GitHub, Obsidian, Docusaurus, VitePress and MkDocs.
 *
 * @param notes gets the names of containers that are no callouts: only their content is kept
 */
export function containers(notes: Set<string>): TokenizerAndRendererExtension {
  const search = { lines: LINES_MAX };
  return {
    name: 'container',
    level: 'block',
    start: (source) => startInParagraph(source, LATER),
    tokenizer(source) {
      const container =
        alertAt(source) ?? colonsAt(source, search) ?? markedAt(source) ?? tabAt(source);
      return container && tokenOf(this, container, notes);
    },
    renderer(token) {
      const { open, close, title, tokens } = token as unknown as ContainerToken;
      const heading = title.length === 0 ? '' : this.parser.parseInline(title);
      return `${open.replace('%', () => heading)}\n${this.parser.parse(tokens)}${close}\n`;
    },
  };
}

interface ContainerToken {
  readonly type: 'container';
  readonly raw: string;
  readonly open: string;
  readonly close: string;
  readonly title: Token[];
  readonly tokens: Token[];
}

function tokenOf(
  { lexer }: TokenizerThis,
  container: Container,
  notes: Set<string>,
): ContainerToken {
  const { raw, kind, isFolded, role, text } = container;
  const name = kind.toLowerCase().replace(/^callout-/, '');
  const isCallout = role === 'callout' || CALLOUTS.has(name);
  const isDetails = isFolded || name === 'details';
  const shown = container.title || (isCallout || isDetails ? capitalised(name) : '');
  const [open, close] = isDetails
    ? ['<details><summary>%</summary>', '</details>']
    : isCallout
      ? ['<blockquote>\n<p><strong>%</strong></p>', '</blockquote>']
      : [shown === '' ? '' : '<p><strong>%</strong></p>', ''];
  if (!isCallout && !isDetails && role !== 'tab') {
    notes.add(`text: the container "${kind}" is left out, and what it holds is kept`);
  }
  const title = shown === '' ? [] : lexer.inlineTokens(shown);
  return { type: 'container', raw, open, close, title, tokens: lexer.blockTokens(text, []) };
}

function alertAt(source: string): Container | undefined {
  const [raw, kind = '', fold = '', title = '', lines = ''] = ALERT.exec(source) ?? [];
  if (raw === undefined) return undefined;
  const text = lines.replace(/^ {0,3}> ?/gm, '');
  return { raw, kind, title: title.trim(), isFolded: fold !== '', role: 'callout', text };
}

function tabAt(source: string): Container | undefined {
  const [raw, title = '', lines = ''] = TAB.exec(source) ?? [];
  if (raw === undefined) return undefined;
  return { raw, kind: '', title, isFolded: false, role: 'tab', text: unindented(lines) };
}

function markedAt(source: string): Container | undefined {
  const [raw, sign = '', kind = '', rest = '', lines = ''] = MARKED.exec(source) ?? [];
  if (raw === undefined) return undefined;
  const title = /"([^"]*)"/.exec(rest)?.[1] ?? '';
  return { raw, kind, title, isFolded: sign !== '!!!', text: unindented(lines) };
}

function unindented(lines: string): string {
  return lines.replace(/^(?: {4}|\t)/gm, '');
}

function colonsAt(source: string, search: { lines: number }): Container | undefined {
  const [first, , kind = '', rest = ''] = COLONS.exec(source) ?? [];
  if (first === undefined) return undefined;
  const end = endOfColons(source, first.length, search);
  if (end === null) return undefined;
  const title =
    /^\[([^\]]*)\]/.exec(rest)?.[1] ??
    /title="([^"]*)"/.exec(rest)?.[1] ??
    rest.replace(/\{.*\}/, '');
  const text = source.slice(first.length, end.start);
  return { raw: source.slice(0, end.end), kind, title: title.trim(), isFolded: false, text };
}

/** Finds the line of colons that ends a container, past those within it and past code. */
function endOfColons(
  source: string,
  from: number,
  search: { lines: number },
): { start: number; end: number } | null {
  let depth = 1;
  let fence = '';
  for (let start = from; start < source.length;) {
    search.lines -= 1;
    if (search.lines < 0) return null;
    const next = source.indexOf('\n', start);
    const end = next === -1 ? source.length : next + 1;
    const line = source.slice(start, Math.min(end, start + 200)).trim();
    const [ticks = ''] = /^(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== '') {
      if (ticks.startsWith(fence) && ticks === line) fence = '';
    } else if (ticks !== '') fence = ticks;
    else if (/^:{3,}$/.test(line)) depth -= 1;
    else if (/^:{3,}[ \t]*[\w{]/.test(line)) depth += 1;
    if (depth === 0) return { start, end };
    start = end;
  }
  return null;
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
