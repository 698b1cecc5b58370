import {
  PLAIN_DRAFT,
  type ImportedArticle,
  type SourceItem,
} from '../articles/imported-article.js';
import { sourceDate } from '../dates/source-date.js';
import { figureOf } from '../html/media.js';
import { withPlainCards } from './ghost-cards.js';
import { lexicalHtml, mobiledocHtml } from './ghost-documents.js';
import { idOf, isPage, textOf, type GhostRecord } from './ghost-records.js';
import type { GhostTables } from './ghost-tables.js';

/** The placeholder that an export has in place of the site's URL. */
const SITE_PLACEHOLDER = /__GHOST_URL__/g;

/** Why a post is not public, by its status. */
const HIDDEN_STATUS: ReadonlyMap<string, string> = new Map([
  ['draft', PLAIN_DRAFT],
  ['scheduled', 'it is scheduled'],
  ['sent', 'it was only sent by email'],
]);

/** Matches an element by which the code that is injected into a post forbids search engines to list it. */
const NOINDEX = /<meta\b(?:(?!<meta\b)[^>])*\b(?:noindex\b|content\s*=\s*["']?none\b)/i;
/** Matches the beginning of a part that visitors without an account do not see, in HTML and in the data of a card. */
const GATED = /kg-gated-block:begin nonMember:false|"web":\{"nonMember":false/;

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
  const source = sourceOf(post);
  const meta = tables.metaOf(post);
  const html = textOf(post, 'html') ?? documentHtml(post);
  if (html === '' && (textOf(post, 'lexical') ?? textOf(post, 'mobiledoc') ?? '') !== '') {
    const reason = 'it has no HTML that can be read: save it once in Ghost, and export again';
    return { skipped: { source, reason } };
  }
  const canonical = textOf(meta, 'canonical_url');
  const isOwn = canonical !== null && baseUrl !== null && canonical.startsWith(baseUrl);
  const withSite = (text: string): string =>
    text.replace(SITE_PLACEHOLDER, baseUrl?.replace(/\/$/, '') ?? '');
  const picture = textOf(post, 'feature_image') ?? textOf(post, 'image');
  const losesSiteUrl = baseUrl === null && html.search(SITE_PLACEHOLDER) >= 0;
  const article: ImportedArticle = {
    source,
    identity: `ghost ${textOf(post, 'uuid') ?? `${idOf(post, 'id')} ${textOf(post, 'slug')}`}`,
    title: textOf(post, 'title'),
    description: textOf(post, 'custom_excerpt') ?? textOf(meta, 'meta_description'),
    html: withSite(`${leadPicture(picture, meta, html)}${withPlainCards(html)}`),
    slug: textOf(post, 'slug'),
    tags: tables.tagsOf(post),
    imgUrl: picture === null ? null : withSite(picture),
    imgAlt: textOf(meta, 'feature_image_alt'),
    hidden: whyHidden(post, tables, textOf(post, 'html') ?? textOf(post, 'lexical') ?? ''),
    createdAt: sourceDate(post['created_at']),
    updatedAt: sourceDate(post['updated_at']),
    publishedAt: sourceDate(post['published_at']),
    authors: tables.authorsOf(post),
    base: baseUrl,
    addresses: isOwn ? [canonical] : [],
    notes: [
      ...(canonical === null || isOwn ? [] : [`its canonical address "${canonical}" is not kept`]),
      ...(losesSiteUrl
        ? ['text: links to its old site are paths now: give --base-url to keep them']
        : []),
    ],
  };
  return { article };
}

/** The HTML of a post that was never saved with it. */
function documentHtml(post: GhostRecord): string {
  const [lexical, mobiledoc] = [textOf(post, 'lexical'), textOf(post, 'mobiledoc')];
  return lexical === null ? mobiledocHtml(mobiledoc ?? '') : lexicalHtml(lexical);
}

/** The lead picture at the beginning of the text, if it has a caption or an alternative text, which would be lost. */
function leadPicture(src: string | null, meta: GhostRecord, html: string): string {
  const alt = textOf(meta, 'feature_image_alt');
  const caption = textOf(meta, 'feature_image_caption');
  if (src === null || (alt ?? caption) === null || html.includes(src)) return '';
  return `${figureOf({ src, alt: alt ?? '' }, caption ?? '')}\n`;
}

/** What the report calls a post. */
export function sourceOf(post: GhostRecord): string {
  return `${isPage(post) ? 'page' : 'post'} ${textOf(post, 'slug') ?? idOf(post, 'id')}`;
}

function whyHidden(post: GhostRecord, tables: GhostTables, text: string): string | null {
  const status = textOf(post, 'status') ?? 'draft';
  const visibility = textOf(post, 'visibility') ?? 'public';
  if (status !== 'published') return HIDDEN_STATUS.get(status) ?? `its status is "${status}"`;
  if (visibility !== 'public') return `only for "${visibility}" there`;
  const fields = tables.metaOf(post);
  if (fields['email_only']) return 'it was only sent by email';
  if (GATED.test(text)) return 'a part of its text is only for members there';
  const injected = ['codeinjection_head', 'codeinjection_foot'];
  const isNoIndex = injected.some((name) => NOINDEX.test(textOf(fields, name) ?? ''));
  return isNoIndex ? 'it says "noindex"' : null;
}
