import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/** The fields of a file, with their names as written. */
export type FrontMatter = Readonly<Record<string, unknown>>;

export interface MarkdownFile {
  readonly fields: FrontMatter;
  /** The text after the front matter. */
  readonly body: string;
}

/** The front matter cannot be read. The message is shown in the report. */
export class FrontMatterError extends Error {}

/**
 * Matches front matter between lines of `---` or `+++`; the first line may name the language, as in
 * `---json`.
 */
const FENCED = /^(---|\+\+\+)([a-z]*)[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)\1[ \t]*(?:\r?\n|$)/m;

type Parser = (text: string) => unknown;

const PARSERS: Readonly<Record<string, Parser>> = {
  '---': (text) => parseYaml(text) as unknown,
  yaml: (text) => parseYaml(text) as unknown,
  yml: (text) => parseYaml(text) as unknown,
  '+++': parseToml,
  toml: parseToml,
  json: (text) => JSON.parse(text) as unknown,
};

/**
 * Separates the front matter of a file, in YAML, TOML or JSON, from the text after it.
 *
 * @throws FrontMatterError
 */
export function readFrontMatter(file: string): MarkdownFile {
  const text = file.replace(/^\uFEFF/, '');
  if (text.startsWith('{')) return readJson(text);
  const match = FENCED.exec(text);
  if (match?.index !== 0) return { fields: {}, body: text };
  const [whole, fence = '', language = '', content = ''] = match;
  const parser = PARSERS[language === '' ? fence : language];
  if (!parser)
    throw new FrontMatterError(`its front matter is in "${language}", which is not read`);
  return { fields: fieldsOf(parser, content), body: text.slice(whole.length) };
}

/** Reads JSON, which has no fence: it ends with the first line that is a closing brace. */
function readJson(text: string): MarkdownFile {
  const end = /^\}[ \t]*\r?$/m.exec(text);
  // A text may begin with a brace without having front matter, such as with a shortcode of Hugo.
  if (!end || text.startsWith('{{') || text.startsWith('{%')) return { fields: {}, body: text };
  const length = end.index + end[0].length;
  return { fields: fieldsOf(PARSERS['json']!, text.slice(0, length)), body: text.slice(length) };
}

function fieldsOf(parser: Parser, content: string): FrontMatter {
  let fields: unknown;
  try {
    fields = parser(content);
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new FrontMatterError(`its front matter cannot be read: ${line.replace(/:$/, '')}`);
  }
  if (fields === null || fields === undefined) return {};
  if (typeof fields !== 'object' || Array.isArray(fields)) {
    throw new FrontMatterError('its front matter is no list of fields');
  }
  return fields as FrontMatter;
}
