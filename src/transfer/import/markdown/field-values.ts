import { sourceDate } from '../dates/source-date.ts';
import type { SourceAuthor } from '../articles/imported-article.ts';
import type { FrontMatter } from './front-matter.ts';

/**
 * The value of the first field of `names` that has one. The comparison of names ignores case, blanks, `-` and `_`; a
 * name such as `a.b` is the field `b` within the field `a`.
 */
export function valueOf(fields: FrontMatter, names: readonly string[]): unknown {
  for (const name of names) {
    const value = name
      .split('.')
      .reduce<unknown>(
        (object, key) => (isRecord(object) ? fieldOf(object, key) : undefined),
        fields,
      );
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

export function textOf(fields: FrontMatter, names: readonly string[]): string | null {
  const value = valueOf(fields, names);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : null;
}

export function dateOf(fields: FrontMatter, names: readonly string[]): Date | null {
  // The first field that holds a date counts: `published` may be a flag.
  return names.map((name) => sourceDate(valueOf(fields, [name]))).find((date) => date) ?? null;
}

/** Reads a list of texts, or one text with commas between its items. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map((text) => text.trim());
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) ? value.flatMap((item) => textsOf(nameOf(item))) : [];
}

/**
 * Reads the tags of a field. In Jekyll a text of several words holds a tag in each, if there is no comma.
 */
export function tagsOf(
  fields: FrontMatter,
  names: readonly string[],
  isOfJekyll: boolean,
): string[] {
  const value = valueOf(fields, names);
  const isPlural = value === valueOf(fields, ['tags']) || value === valueOf(fields, ['categories']);
  const hasBlanks = isOfJekyll && isPlural && typeof value === 'string' && !value.includes(',');
  return hasBlanks ? value.split(/\s+/) : textsOf(value);
}

/** Reads a URL, an object with a URL, or the first item of a list of them. */
export function urlOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return urlOf(value[0]);
  if (!isRecord(value)) return null;
  return urlOf(
    valueOf(value, ['src', 'url', 'image', 'path', 'file', 'teaser', 'feature']) ?? null,
  );
}

/**
 * Reads `Name`, `Name <address>`, `address`, `{name, email}`, or a list of them. A text may also be the key of an author
 * in a file of authors.
 */
export function authorsOf(value: unknown): SourceAuthor[] {
  if (Array.isArray(value)) return value.flatMap(authorsOf);
  if (isRecord(value)) {
    const email = textOf(value, ['email', 'mail', 'socials.email']);
    const mailto = /^mailto:([^?]+)/i.exec(textOf(value, ['url', 'href']) ?? '')?.[1];
    return [
      { key: textOf(value, AUTHOR_KEYS), name: nameIn(value), email: email ?? mailto ?? null },
    ];
  }
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') return [];
  // The last word is the address, in brackets or not.
  const [word = ''] = /[^\s<>]*>?$/.exec(text) ?? [];
  const address = word.replace('>', '');
  if (!/.@./.test(address)) return [{ key: text, name: text, email: null }];
  const before = text.slice(0, -word.length).replace(/<$/, '');
  return [{ key: null, name: before.trim() || null, email: address }];
}

/** Fields by which an author is called in other files, such as in an entry of a list of authors. */
export const AUTHOR_KEYS = ['key', 'id', 'slug', 'login', 'username', 'handle', 'ref'];

function nameIn(author: FrontMatter): string | null {
  const name = textOf(author, ['name', 'displayName', 'fullName', 'title']);
  const parts = [
    ['firstName', 'givenName', 'given'],
    ['lastName', 'familyName', 'family'],
  ];
  return name ?? (parts.flatMap((names) => textOf(author, names) ?? []).join(' ') || null);
}

function fieldOf(object: FrontMatter, key: string): unknown {
  const found = Object.keys(object).find((name) => folded(name) === folded(key));
  return found === undefined ? undefined : object[found];
}

export function folded(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** The name of a tag, which may be written as an object. */
function nameOf(item: unknown): unknown {
  return isRecord(item) ? valueOf(item, ['name', 'title', 'label']) : item;
}

export function isRecord(value: unknown): value is FrontMatter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
