import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/** The fields of a file, with their names as written. */
export type FrontMatter = Readonly<Record<string, unknown>>;

export interface MarkdownFile {
  readonly fields: FrontMatter;
  /** The text after the front matter. Its lines end with LF. */
  readonly body: string;
}

/** The front matter cannot be read. The message is shown in the report. */
export class FrontMatterError extends Error {}

/** Longest front matter, in characters. */
const LENGTH_MAX = 200_000;
/** Deepest nesting of lists and objects within the fields. */
const DEPTH_MAX = 20;
/** Greatest number of values in all fields, those that aliases repeat included. */
const VALUES_MAX = 20_000;
/** Longest text of a field that is read, in characters. The bounds of Pressroom are lower. */
const TEXT_MAX = 10_000;

/** The first line of front matter, which may name the language, as in `---json`. */
const FIRST_LINE = /^(---|\+\+\+)([a-z]{0,10})[ \t]*$/;
/** Fields of which one begins a file of Hexo, where the line of dashes before the fields may be left out. */
const FIRST_FIELD = /^(?:title|layout|date|tags|categories|permalink|author):(?:[ \t]|$)/;
/** Greatest number of lines of front matter without a line of dashes before it. */
const UNFENCED_LINES_MAX = 50;

type Parser = (text: string) => unknown;

// The last one of two equal keys counts, as in most generators.
const readYaml: Parser = (text) =>
  parseYaml(text, { uniqueKeys: false, logLevel: 'error', maxAliasCount: 100 }) as unknown;

const PARSERS: Readonly<Record<string, Parser>> = {
  '---': readYaml,
  yaml: readYaml,
  yml: readYaml,
  '+++': parseToml,
  toml: parseToml,
  json: (text) => JSON.parse(text) as unknown,
};

/**
 * Separates the front matter of a file, in YAML, TOML or JSON, from the text after it. The time is linear in the
 * length of the file, apart from that of the parsers.
 *
 * @throws FrontMatterError
 */
export function readFrontMatter(file: string): MarkdownFile {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (text.startsWith('{')) return readJson(text);
  const lines = lineStarts(text);
  const [fence, language] = FIRST_LINE.exec(lineAt(text, 0))?.slice(1) ?? [null, ''];
  const first = fence === null ? 0 : 1;
  if (fence === null && !FIRST_FIELD.test(lineAt(text, 0))) return { fields: {}, body: text };
  const last = fence === null ? Math.min(UNFENCED_LINES_MAX, lines.length) : lines.length;
  for (let number = 1; number < last; number += 1) {
    const start = lines[number]!;
    if (!isEnd(lineAt(text, start), fence ?? '---')) continue;
    const parser = PARSERS[language || (fence ?? '---')];
    if (!parser) {
      throw new FrontMatterError(`its front matter is in "${language}", which is not read`);
    }
    const content = text.slice(lines[first], start);
    return { fields: fieldsOf(parser, content), body: text.slice(lines[number + 1] ?? Infinity) };
  }
  return { fields: {}, body: text };
}

/** The positions at which the lines of a text begin. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return starts;
}

/** The beginning of a line, as far as the first and the last line of front matter reach. */
function lineAt(text: string, start: number): string {
  return text.slice(start, start + 100).split('\n', 1)[0] ?? '';
}

/** YAML may end with dots as well. */
function isEnd(line: string, fence: string): boolean {
  const end = line.trimEnd();
  return end === fence || (fence === '---' && end === '...');
}

/** Reads JSON, which has no fence: it ends with the first line that is a closing brace, or is one line. */
function readJson(text: string): MarkdownFile {
  // A text may begin with a brace without having front matter, such as with a shortcode or a comment of MDX.
  const isJson = /^\{\s*(?:"[^"\n]*"\s*:|\})/.test(text);
  const end = isJson ? /^(?:\{[^\n]*)?\}[ \t]*$/m.exec(text) : null;
  if (!end) return { fields: {}, body: text };
  const length = end.index + end[0].length;
  return { fields: fieldsOf(PARSERS['json']!, text.slice(0, length)), body: text.slice(length) };
}

function fieldsOf(parser: Parser, content: string): FrontMatter {
  if (content.length > LENGTH_MAX) {
    throw new FrontMatterError(`its front matter is longer than ${LENGTH_MAX} characters`);
  }
  let fields: unknown;
  try {
    fields = parser(content);
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const why = /call stack/.test(line) ? 'it is nested too deep' : line.replace(/:$/, '');
    throw new FrontMatterError(`its front matter cannot be read: ${why}`);
  }
  if (fields === null || fields === undefined) return {};
  if (typeof fields !== 'object' || Array.isArray(fields)) {
    throw new FrontMatterError('its front matter is no list of fields');
  }
  return boundedCopy(fields, DEPTH_MAX, { values: VALUES_MAX }) as FrontMatter;
}

/**
 * Copies a value as a tree, in which no alias leads back to a value that holds it.
 *
 * @param remaining the number of values that may still be copied
 */
function boundedCopy(value: unknown, depth: number, remaining: { values: number }): unknown {
  remaining.values -= 1;
  if (remaining.values < 0) {
    throw new FrontMatterError(`its front matter has more than ${VALUES_MAX} values`);
  }
  if (typeof value === 'string') return value.slice(0, TEXT_MAX);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === 0) {
    throw new FrontMatterError(
      `its front matter is nested deeper than ${DEPTH_MAX} levels, or contains itself`,
    );
  }
  if (Array.isArray(value)) return value.map((item) => boundedCopy(item, depth - 1, remaining));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, boundedCopy(item, depth - 1, remaining)]),
  );
}
