import { dirname } from 'node:path/posix';
import { OPTIONAL_NAMES } from '../../markdown-names.ts';
import type { ImportedArticle } from '../articles/imported-article.ts';
import { plainText } from '../articles/plain-text.ts';
import { authorsOf, dateOf, tagsOf, textOf, textsOf, urlOf, valueOf } from './field-values.ts';
import type { NamedByPath } from './file-name.ts';
import type { FrontMatter, MarkdownFile } from './front-matter.ts';
import { renderMarkdown } from '../../../blog/core/markdown/markdown-html.ts';

/**
 * The names that Astro, Hugo, Jekyll, Eleventy, Gatsby and Zola give in front matter to the fields that are not
 * in OPTIONAL_NAMES. The most usual name of each field comes first.
 */
const NAMES = {
  title: ['title'],
  description: ['description', 'summary', 'excerpt', 'subtitle', 'lead', 'dek'],
  published: ['pubDate', 'publishDate', 'publishedAt', 'published', 'date', 'datePublished'],
  created: ['created', 'createdAt', 'date'],
  updated: [
    'lastmod',
    'updated',
    'updatedDate',
    'updatedAt',
    'modified',
    'dateModified',
    'lastModifiedAt',
  ],
  expires: ['expiryDate', 'unpublishDate'],
  slug: ['slug'],
  path: ['permalink', 'url', 'path'],
  former: ['aliases', 'alias', 'redirectFrom', 'redirects', 'slugHistory', 'oldUrls'],
  tags: ['tags', 'tag', 'taxonomies.tags', 'keywords'],
  categories: ['categories', 'category', 'taxonomies.categories', 'topics'],
  author: ['author', 'authors', 'extra.author'],
  language: ['lang', 'language', 'locale'],
} as const;

export interface MarkdownOptions {
  /** URL of the site; null if it is not given. */
  readonly baseUrl: string | null;
  readonly now: Date;
  /** Whether the text is not needed. */
  readonly headsOnly?: boolean;
}

/**
 * The article of a Markdown file.
 *
 * @param path the path of the file within the folder
 * @throws MarkdownLimitError
 */
export function markdownArticle(
  path: string,
  { fields, body }: MarkdownFile,
  pathData: NamedByPath,
  { baseUrl, now, headsOnly = false }: MarkdownOptions,
): ImportedArticle {
  const given = textOf(fields, NAMES.title);
  const { html, title, notes } = renderMarkdown(headsOnly ? '' : body, {
    form: pathData.form,
    language: textOf(fields, NAMES.language) ?? pathData.language,
    takesTitle: given === null,
  });
  const publishedAt = dateOf(fields, NAMES.published) ?? pathData.date;
  const authors = authorsOf(valueOf(fields, NAMES.author));
  const expired = dateOf(fields, NAMES.expires);
  const hasExpired = expired !== null && expired <= now;
  return {
    source: path,
    identity: `markdown ${path}`,
    title: given ?? (title === null ? titleOfSlug(pathData.slug) : plainText(title)),
    description: textOf(fields, NAMES.description),
    html,
    slug: slugOf(fields, pathData),
    tags: [NAMES.tags, NAMES.categories].flatMap((names) =>
      tagsOf(fields, names, pathData.isOfJekyll),
    ),
    imgUrl: urlOf(valueOf(fields, OPTIONAL_NAMES.imgUrl)),
    isPublished: !isDraft(fields, pathData) && !hasExpired,
    createdAt: dateOf(fields, NAMES.created) ?? publishedAt,
    updatedAt: dateOf(fields, NAMES.updated),
    publishedAt,
    author: authors[0] ?? null,
    base: baseUrl === null ? null : new URL(folderUrl(path), baseUrl).href,
    addresses: addressesOf(fields),
    givesIds: pathData.form !== 'html',
    notes: [
      ...notes,
      ...(hasExpired ? [`expired at ${expired.toISOString()}: imported as a draft`] : []),
      ...(authors.length > 1 ? [`${authors.length} authors: the first is its author`] : []),
    ],
  };
}

function isDraft(fields: FrontMatter, { isDraft: isInDrafts }: NamedByPath): boolean {
  const isTrue = (name: string): boolean =>
    String(valueOf(fields, [name])).toLowerCase() === 'true';
  const isFalse = (name: string): boolean =>
    String(valueOf(fields, [name])).toLowerCase() === 'false';
  const status = textOf(fields, ['status'])?.toLowerCase() ?? '';
  return (
    isInDrafts ||
    isTrue('draft') ||
    isFalse('published') ||
    ['draft', 'private', 'hidden', 'archived'].includes(status)
  );
}

/**
 * The slug from the front matter, else from the URL that the front matter names, else from the file
 * name.
 */
function slugOf(fields: FrontMatter, { slug }: NamedByPath): string | null {
  const given = textOf(fields, NAMES.slug);
  const path = textOf(fields, NAMES.path);
  for (const value of [given, path]) {
    // A pattern, such as /:year/:title/ or {{ page.fileSlug }}, is no path.
    if (value === null || /[:{]/.test(value.replace(/^https?:/, ''))) continue;
    const last = value.replace(/[?#].*$/, '').replace(/\/(?:index\.html?)?$/, '');
    const end = last.slice(last.lastIndexOf('/') + 1).replace(/\.html?$/, '');
    if (end !== '') return decoded(end);
  }
  return slug;
}

/** The addresses that the front matter names: former ones, and the present one unless it is a pattern. */
function addressesOf(fields: FrontMatter): string[] {
  const given = [textOf(fields, NAMES.path) ?? '', ...textsOf(valueOf(fields, NAMES.former))];
  return given
    .filter((address) => address !== '' && !/[{}]|\/:/.test(address.replace(/^https?:/, '')))
    .map((address) => (/^https?:/.test(address) ? address : `/${address.replace(/^\/+/, '')}`));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Makes a title of a slug: `my-first-post` becomes "My first post". */
function titleOfSlug(slug: string | null): string | null {
  const words = (slug ?? '').replace(/[-_]+/g, ' ').trim();
  return words === '' ? null : words.charAt(0).toUpperCase() + words.slice(1);
}

function folderUrl(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : `${folder.split('/').map(encodeURIComponent).join('/')}/`;
}
