import type { ImportedArticle, SourceItem } from '../articles/imported-article.js';
import { sourceDate } from '../articles/source-date.js';
import { idOf, isPage, textOf, type GhostRecord } from './ghost-records.js';
import type { GhostTables } from './ghost-tables.js';

/** The placeholder that an export has in place of the site's URL. */
const SITE_PLACEHOLDER = /__GHOST_URL__/g;

/** Notes on why an article becomes a draft, by its status; null for a status that needs no note. */
const DRAFT_NOTES: Readonly<Record<string, string | null>> = {
  draft: null,
  scheduled: 'it is scheduled: imported as a draft',
  sent: 'it was only sent by email: imported as a draft',
};

/**
 * The article of a row of `posts`.
 *
 * @param baseUrl URL of the site; null if it is not given
 */
export function ghostArticle(
  post: GhostRecord,
  tables: GhostTables,
  baseUrl: string | null,
): SourceItem {
  const source = `${isPage(post) ? 'page' : 'post'} ${textOf(post, 'slug') ?? idOf(post, 'id')}`;
  const html = textOf(post, 'html') ?? '';
  if (html === '' && (textOf(post, 'lexical') ?? textOf(post, 'mobiledoc') ?? '') !== '') {
    return {
      skipped: { source, reason: 'it has no HTML: save it once in Ghost, and export again' },
    };
  }
  const authors = tables.authorsOf(post);
  const { isPublished, note } = stateOf(post);
  const withSite = (text: string): string =>
    text.replace(SITE_PLACEHOLDER, baseUrl?.replace(/\/$/, '') ?? '');
  const picture = textOf(post, 'feature_image') ?? textOf(post, 'image');
  const losesSiteUrl = baseUrl === null && html.search(SITE_PLACEHOLDER) >= 0;
  const article: ImportedArticle = {
    source,
    identity: `ghost ${textOf(post, 'uuid') ?? `${idOf(post, 'id')} ${textOf(post, 'slug')}`}`,
    title: textOf(post, 'title'),
    description: textOf(post, 'custom_excerpt') ?? tables.metaDescriptionOf(post),
    html: withSite(html),
    slug: textOf(post, 'slug'),
    tags: tables.tagsOf(post),
    imgUrl: picture === null ? null : withSite(picture),
    isPublished,
    createdAt: sourceDate(post['created_at']),
    updatedAt: sourceDate(post['updated_at']),
    publishedAt: sourceDate(post['published_at']),
    author: authors[0] ?? null,
    base: baseUrl,
    notes: [
      ...(note === null ? [] : [note]),
      ...(authors.length > 1 ? [`${authors.length} authors: the first is its author`] : []),
      ...(losesSiteUrl
        ? ['text: links to its old site are paths now: give --base-url to keep them']
        : []),
    ],
  };
  return { article };
}

function stateOf(post: GhostRecord): {
  readonly isPublished: boolean;
  readonly note: string | null;
} {
  const status = textOf(post, 'status') ?? 'draft';
  const visibility = textOf(post, 'visibility') ?? 'public';
  if (status !== 'published') {
    const otherNote = `its status is "${status}": imported as a draft`;
    return {
      isPublished: false,
      note: status in DRAFT_NOTES ? (DRAFT_NOTES[status] ?? null) : otherNote,
    };
  }
  if (visibility === 'public') return { isPublished: true, note: null };
  return { isPublished: false, note: `only for "${visibility}" there: imported as a draft` };
}
