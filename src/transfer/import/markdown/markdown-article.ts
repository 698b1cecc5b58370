import { dirname } from 'node:path/posix';
import { percentDecoded } from '../../../platform/text/percent-decoded.ts';
import { PICTURE_NAMES } from '../../markdown-names.ts';
import { dateInPath } from '../dates/date-in-path.ts';
import type { ImportedArticle, SourceAuthor } from '../articles/imported-article.ts';
import { plainText } from '../articles/plain-text.ts';
import { authorsOf, dateOf, tagsOf, textOf, textsOf, urlOf, valueOf } from './field-values.ts';
import type { NamedByPath } from './file-name.ts';
import type { FrontMatter, MarkdownFile } from './front-matter.ts';
import { headingLines } from './heading-lines.ts';
import { renderMarkdown } from '../../../blog/core/markdown/markdown-html.ts';
import { expiryOf, whyHidden } from './visibility/visibility.ts';

/**
 * The names that Astro, Hugo, Jekyll, Eleventy, Gatsby and Zola give in front matter to the fields that are not
 * in PICTURE_NAMES. The most usual name of each field comes first.
 */
const NAMES = {
  title: ['title'],
  description: ['description', 'summary', 'excerpt', 'subtitle', 'lead', 'dek'],
  published: [
    'pubDate',
    'pubDatetime',
    'publishDate',
    'publishedAt',
    'publishedDate',
    'publicationDate',
    'published',
    'datePublished',
    'date',
    'datetime',
    'posted',
    'params.date',
    'extra.date',
    'meta.date',
  ],
  created: ['created', 'createdAt', 'dateCreated', 'creationDate', 'createdDate', 'date'],
  updated: [
    'lastmod',
    'modDatetime',
    'updated',
    'updatedDate',
    'updatedAt',
    'modified',
    'dateModified',
    'lastModifiedAt',
  ],
  slug: ['slug'],
  path: ['permalink', 'url', 'path'],
  former: ['aliases', 'alias', 'redirectFrom', 'redirects', 'slugHistory', 'oldUrls'],
  tags: ['tags', 'tag', 'taxonomies.tags', 'keywords'],
  categories: ['categories', 'category', 'taxonomies.categories', 'topics'],
  author: [
    'author',
    'authors',
    'extra.author',
    'extra.authors',
    'params.author',
    'params.authors',
    'taxonomies.authors',
    'authorName',
    'byline',
    'creator',
    'writer',
    'guestAuthor',
    'coauthor',
    'coauthors',
    'contributors',
  ],
  language: ['lang', 'language', 'locale'],
} as const;

export interface MarkdownOptions {
  /** URL of the site; null if it is not given. */
  readonly baseUrl: string | null;
  readonly now: Date;
  /** The language of the site; null if it is not known. */
  readonly language?: string | null;
  /** The paths of files that the text names, by these names. */
  readonly files?: Readonly<Record<string, string>>;
  /** Fields that the folder and the site give to the article. Those that hide it and name its authors are used. */
  readonly inherited?: FrontMatter;
  /** Name of the folder of the import, which may be a folder of drafts. */
  readonly root?: string;
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
  { baseUrl, now, language = null, files = {}, inherited = {}, headsOnly = false }: MarkdownOptions,
): ImportedArticle {
  const given = textOf(fields, NAMES.title);
  const { html, title, notes } = renderMarkdown(headsOnly ? '' : body, {
    form: pathData.form,
    language: textOf(fields, NAMES.language) ?? pathData.language,
    siteLanguage: language,
    files,
    takesTitle: given === null,
  });
  const { date: publishedAt, notes: dateNotes } = publicationOf(fields, pathData);
  const hidden = whyHidden(fields, { hiddenByPath: pathData.hidden, inherited, now });
  const expiry = expiryOf(fields);
  const authors = authorsIn(fields);
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
    imgUrl: urlOf(valueOf(fields, PICTURE_NAMES.imgUrl)),
    imgAlt: textOf(fields, PICTURE_NAMES.imgAlt),
    hidden,
    createdAt: dateOf(fields, NAMES.created) ?? publishedAt,
    updatedAt: dateOf(fields, NAMES.updated),
    publishedAt,
    authors: authors.length > 0 ? authors : authorsIn(inherited),
    base: baseUrl === null ? null : new URL(folderUrl(path), baseUrl).href,
    addresses: addressesOf(fields),
    ...(headsOnly ? { headings: headingLines(body) } : {}),
    givesIds: pathData.form !== 'html',
    notes: [
      ...notes,
      ...dateNotes,
      ...(expiry && expiry > now
        ? [`expires at ${expiry.toISOString()} there: plan when it is to be unpublished`]
        : []),
    ],
  };
}

/**
 * The time of publication: of the front matter, else of a path in it, else of the path of the file, else of the
 * last change.
 */
function publicationOf(
  fields: FrontMatter,
  { date: dateOfFile }: NamedByPath,
): { readonly date: Date | null; readonly notes: readonly string[] } {
  const given = dateOf(fields, NAMES.published) ?? dateOf(fields, NAMES.created);
  if (given) return { date: given, notes: [] };
  const paths = [NAMES.path, NAMES.slug, NAMES.former].flatMap((names) =>
    textsOf(valueOf(fields, names)),
  );
  const found = paths.map(dateInPath).find((date) => date) ?? dateOfFile;
  const unreadable = textOf(fields, NAMES.published);
  return {
    date: found?.date ?? dateOf(fields, NAMES.updated),
    notes: [
      ...(unreadable !== null && !/^(?:true|false|yes|no)$/i.test(unreadable)
        ? [`its date "${unreadable.slice(0, 40)}" cannot be read`]
        : []),
      ...(found?.hasDay === false
        ? ['only the month of its date is known: it has the date of the first day']
        : []),
    ],
  };
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
    if (end !== '') return percentDecoded(end);
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

/** Makes a title of a slug: `my-first-post` becomes "My first post". */
function titleOfSlug(slug: string | null): string | null {
  const words = (slug ?? '').replace(/[-_]+/g, ' ').trim();
  return words === '' ? null : words.charAt(0).toUpperCase() + words.slice(1);
}

function folderUrl(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : `${folder.split('/').map(encodeURIComponent).join('/')}/`;
}

function authorsIn(fields: FrontMatter): SourceAuthor[] {
  return NAMES.author.flatMap((name) => authorsOf(valueOf(fields, [name])));
}
