import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messageOf, UserError } from './user-error.ts';

/** A few articles that come with the repository. */
export const SAMPLE_ARTICLES = fileURLToPath(new URL('articles.ndjson', import.meta.url));

/** Minimum number of articles. The journey edits one while it is live, unpublishes another and deletes a third. */
const MIN_ARTICLES = 3;

export interface Article {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly html: string;
}

/**
 * Reads articles, one JSON object per line: `title`, `description`, `slug`, `tags`, `html`. Other
 * fields, such as `author` and `date`, are ignored.
 *
 * @throws UserError; if a line is wrong, its message has the number of the line
 */
export function readArticles(file: string): Article[] {
  const lines = readText(file)
    .split('\n')
    .map((line, index) => ({ line, location: `${file}:${index + 1}` }))
    .filter(({ line }) => line.trim() !== '');
  if (lines.length < MIN_ARTICLES) {
    throw new UserError(`${file} has ${lines.length} articles; the journey needs ${MIN_ARTICLES}`);
  }
  return lines.map(({ line, location }) => parseArticle(line, location));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

function parseArticle(line: string, location: string): Article {
  let article: Partial<Record<string, unknown>> | null;
  try {
    article = JSON.parse(line) as typeof article;
  } catch (error) {
    throw new UserError(`${location}: ${messageOf(error)}`);
  }
  const textOf = (name: string): string => {
    const value = article?.[name];
    if (typeof value !== 'string') throw new UserError(`${location}: ${name} must be text`);
    return value;
  };
  const tags = article?.['tags'];
  if (!Array.isArray(tags)) throw new UserError(`${location}: tags must be a list`);
  return {
    title: textOf('title'),
    description: textOf('description'),
    slug: textOf('slug'),
    tags: tags.map(String),
    html: textOf('html'),
  };
}

/** @returns the tags as the server stores them: trimmed, and only the first of tags that differ only in case */
export function storedTags(tags: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const tag of tags) {
    const key = tagKey(tag);
    if (!seen.has(key)) seen.set(key, tag.trim());
  }
  return [...seen.values()];
}

/** @returns the form of a tag for comparisons, without differences of case */
export function tagKey(tag: string): string {
  return tag.trim().normalize('NFKC').toLowerCase();
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/**
 * Finds the letters and digits of an article in order, without markup. Cleaning must keep these. Elements that cleaning
 * removes with their content are left out.
 */
export function lettersOf(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(
      /<(script|style|iframe|object|video|audio|svg|math|template|noscript|textarea|select|button)\b[\s\S]*?<\/\1\s*>/gi,
      '',
    )
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(
      /&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/gi,
      (whole: string, hex?: string, decimal?: string, name?: string) => {
        if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
        if (decimal) return String.fromCodePoint(Number(decimal));
        return ENTITIES[(name ?? '').toLowerCase()] ?? whole;
      },
    )
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
