import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { isEmailAddress, normalizeEmail } from '../../../user/email.decorator.js';
import type { AuthorsFile, SourceAuthor } from '../articles/imported-article.js';
import { AUTHOR_KEYS, authorsOf, isRecord, textOf } from '../markdown/field-values.js';
import { readFrontMatter } from '../markdown/front-matter.js';

/** The form of a key, a name or an address in which they are compared: `@ada` is the key `ada`. */
export function authorKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim().replace(/^@/, '');
}

/**
 * Reads a file of authors: YAML or JSON, a map from what articles call an author to an address or to fields such as
 * `name` and `email`, or a list of such fields with the key in one of AUTHOR_KEYS.
 *
 * @throws OperatorError when it cannot be read, or an entry is no author
 */
export async function readAuthorsFile(path: string): Promise<AuthorsFile> {
  const entries = entriesOf(await parsed(path));
  if (entries.length === 0) {
    throw new OperatorError(`${path} names no authors: write a map of keys to {name, email}.`);
  }
  return authorsFile(
    path,
    entries.map(([key, value]) => {
      const [author] = isRecord(value) || typeof value === 'string' ? authorsOf(value) : [];
      if (author === undefined) {
        throw new OperatorError(
          `${path}: "${key}" needs an address, or fields such as name, email.`,
        );
      }
      if (author.email !== null && !isEmailAddress(normalizeEmail(author.email))) {
        throw new OperatorError(`${path}: "${author.email}" of "${key}" is no email address.`);
      }
      return [key, author] as const;
    }),
  );
}

/** The places where generators keep the authors of a site, from the folder of the articles or one above it. */
const FILES = ['authors', '_data/authors', 'data/authors'].flatMap((name) =>
  ['.yml', '.yaml', '.json'].map((extension) => `${name}${extension}`),
);
const FOLDERS = ['authors', '_authors', 'data/authors', '_data/authors'];
const PARENTS = ['.', '..', '../..', '../../..'];

/** Finds the authors of a folder of articles: Docusaurus, Jekyll, Hugo and Astro keep them beside it. */
export async function findAuthors(folder: string): Promise<AuthorsFile | null> {
  for (const parent of PARENTS) {
    for (const name of FILES) {
      const path = resolve(folder, parent, name);
      const content = await parsed(path).catch(() => null);
      const entries = entriesOf(content).flatMap(([key, value]) =>
        authorsOf(value)
          .slice(0, 1)
          .map((author) => [key, author] as const),
      );
      if (entries.length > 0) return authorsFile(path, entries);
    }
    for (const name of FOLDERS) {
      const path = resolve(folder, parent, name);
      const entries = await entriesOfFolder(path).catch(() => []);
      if (entries.length > 0) return authorsFile(path, entries);
    }
  }
  return null;
}

type Entry = readonly [key: string, author: SourceAuthor];

function authorsFile(path: string, entries: readonly Entry[]): AuthorsFile {
  const byKey = new Map<string, SourceAuthor>();
  for (const [key, author] of entries) {
    for (const text of [key, author.name, author.email]) {
      if (text !== null && !byKey.has(authorKey(text))) byKey.set(authorKey(text), author);
    }
  }
  return {
    path,
    find: ({ key, name, email }) =>
      [key, name, email]
        .map((text) => (text === null ? undefined : byKey.get(authorKey(text))))
        .find((author) => author !== undefined) ?? null,
  };
}

function entriesOf(content: unknown): (readonly [string, unknown])[] {
  if (Array.isArray(content)) {
    return content.flatMap((value) => {
      if (!isRecord(value)) return [];
      const key = textOf(value, AUTHOR_KEYS) ?? textOf(value, ['name', 'email']);
      return key === null ? [] : [[key, value] as const];
    });
  }
  if (!isRecord(content)) return [];
  const entries = Object.entries(content);
  const [only] = entries;
  return only?.[0] === 'authors' && entries.length === 1 ? entriesOf(only[1]) : entries;
}

/** Reads a file for each author, as collections of Astro, Hugo and Jekyll have them. */
async function entriesOfFolder(path: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const name of (await readdir(path)).sort()) {
    const text = await readFile(join(path, name), 'utf8').catch(() => '');
    const isText = /^\.(?:md|mdx|markdown)$/.test(extname(name));
    if (!isText && !/^\.(?:ya?ml|json)$/.test(extname(name))) continue;
    const fields = isText ? readFrontMatter(text).fields : (parseYaml(text) as unknown);
    const [author] = isRecord(fields) ? authorsOf(fields) : [];
    if (author !== undefined) found.push([basename(name, extname(name)), author]);
    const key = isRecord(fields) ? textOf(fields, AUTHOR_KEYS) : null;
    if (author !== undefined && key !== null) found.push([key, author]);
  }
  return found;
}

/** JSON is YAML, so one parser reads both. */
async function parsed(path: string): Promise<unknown> {
  try {
    return parseYaml(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new OperatorError(`${path} cannot be read: ${reason}`);
  }
}
