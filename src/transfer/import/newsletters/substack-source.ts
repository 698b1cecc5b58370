import { parse } from 'csv-parse/sync';
import { OperatorError } from '../../../platform/config/operator.error.js';
import type {
  ArticleSource,
  ImportedArticle,
  SourceItem,
  SourceOptions,
} from '../articles/imported-article.js';
import { PLAIN_DRAFT } from '../articles/imported-article.js';
import { contained } from '../articles/contained.js';
import { plainText } from '../articles/plain-text.js';
import { ArchivePictures } from '../pictures/archive-pictures.js';
import { sourceDate } from '../dates/source-date.js';
import { openFiles } from '../files/source-files.js';
import { attributeOf, elementsIn, hasClass, innerHtml, parseHtml, remove } from '../html/dom.js';
import { audioOf } from '../html/media.js';

/** A line of `posts.csv`. */
type Row = Readonly<Record<string, string | undefined>>;

/** Elements for readers of the newsletter, which have no meaning elsewhere. */
const LEFT_OUT = ['subscription-widget-wrap', 'subscription-widget', 'subscribe-widget'];
/** Matches the hosts of pictures of Substack. */
const HOST =
  /(?:^|\.)substack(?:cdn)?\.com$|^(?:substack-post-media|bucketeer-[\w-]+)\.s3\.amazonaws\.com$/;
/** Matches the address of a button that subscribes, shares or comments. */
const ACTION = /[?&/](?:subscribe|share|comments?|action=share)\b|%%/;

/**
 * Opens an export of Substack.
 *
 * @param path the zip, or the folder that it was unpacked to
 * @throws OperatorError when it cannot be read, or has no list of articles
 */
export async function openSubstack(
  path: string,
  { baseUrl, pages }: SourceOptions,
): Promise<ArticleSource> {
  const found = await openFiles(path);
  const list = found.paths.find((name) => /(?:^|\/)posts\.csv$/.test(name));
  const text = list === undefined ? { reason: 'it has no posts.csv' } : await found.read(list);
  found.close();
  if (typeof text !== 'string') {
    throw new OperatorError(`${path} is no export of Substack: ${text.reason}.`);
  }
  const rows = rowsOf(text, path);
  const folder = (list ?? '').replace(/posts\.csv$/, 'posts/');
  return {
    total: rows.length,
    sites: [baseUrl],
    pictures: async () => new ArchivePictures(await openFiles(path), (host) => HOST.test(host)),
    async *items(): AsyncGenerator<SourceItem> {
      const files = await openFiles(path);
      for (const row of rows) {
        const source = row['post_id'] ?? '';
        if (row['type'] === 'page' && !pages) {
          yield { counted: 'pages left out' };
          continue;
        }
        const html = await files.read(`${folder}${source}.html`);
        yield typeof html === 'string'
          ? contained(source, () => ({ article: articleOf(row, html, baseUrl) }))
          : { skipped: { source, ...html } };
      }
      files.close();
    },
  };
}

function rowsOf(text: string, path: string): readonly Row[] {
  try {
    return parse<Row>(text, { columns: true, bom: true, relax_column_count: true });
  } catch (error) {
    throw new OperatorError(`posts.csv of ${path} cannot be read: ${(error as Error).message}`);
  }
}

function articleOf(row: Row, text: string, baseUrl: string | null): ImportedArticle {
  const [id = '', slug = ''] = (row['post_id'] ?? '').split(/\.(.*)/s);
  const publishedAt = sourceDate(row['post_date']);
  const podcast = row['podcast_url'] ?? '';
  const body = parseHtml(text);
  for (const element of elementsIn(body, isForSubscribers)) remove(element);
  const image = elementsIn(body, ({ tagName }) => tagName === 'img')[0] ?? null;
  const html = innerHtml(body);
  const hasAudio = podcast === '' || html.includes(podcast);
  return {
    source: row['post_id'] ?? '',
    identity: `substack ${id}`,
    title: plainText(row['title'] ?? ''),
    description: plainText(row['subtitle'] ?? ''),
    html: hasAudio ? html : `${audioOf(podcast)}\n${html}`,
    slug: slug === '' ? null : slug,
    tags: [],
    imgUrl: attributeOf(image, 'src'),
    hidden: whyHidden(row),
    createdAt: publishedAt,
    updatedAt: null,
    publishedAt,
    authors: [],
    base: baseUrl,
    addresses: slug === '' ? [] : [`/p/${slug}`],
    notes: [],
  };
}

function whyHidden({ is_published, audience = 'everyone', type }: Row): string | null {
  if (is_published?.toLowerCase() !== 'true') return PLAIN_DRAFT;
  if (audience !== 'everyone') return `only for "${audience}" there`;
  return type === 'thread' ? 'it is a thread of comments' : null;
}

/** Whether an element asks to subscribe, share or comment. */
function isForSubscribers(element: Parameters<typeof hasClass>[0]): boolean {
  if (LEFT_OUT.some((name) => hasClass(element, name))) return true;
  if (!hasClass(element, 'button-wrapper')) return false;
  const links = elementsIn(element, ({ tagName }) => tagName === 'a');
  return links.every((link) => ACTION.test(attributeOf(link, 'href')));
}
