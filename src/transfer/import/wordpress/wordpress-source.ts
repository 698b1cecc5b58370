import { contained } from '../articles/contained.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import type {
  ArticleSource,
  SourceAuthor,
  SourceItem,
  SourceOptions,
} from '../articles/imported-article.js';
import { picturesBeside } from '../pictures/archive-pictures.js';
import { idOf, wordpressArticle, type WordpressSite } from './wordpress-article.js';
import type { Attachment } from './wordpress-context.js';
import { readWxr } from './wxr-records.js';

/** Where the files of the site may lie, beside the export. */
const FOLDERS = ['wp-content/uploads', 'uploads'];

/**
 * Opens an export of WordPress. The file is read twice, because it may hold an article before its pictures.
 *
 * @param options `baseUrl`: null for the URL that the file names
 * @throws OperatorError when it cannot be read
 */
export async function openWordpress(
  file: string,
  { baseUrl, pages }: SourceOptions,
): Promise<ArticleSource> {
  const types: ReadonlySet<string> = new Set(pages ? ['post', 'page'] : ['post']);
  const { site, total } = await readSite(file, baseUrl, types);
  return {
    total,
    sites: [site.urlInFile, baseUrl],
    pictures: () => picturesBeside(file, FOLDERS, [site.urlInFile, baseUrl]),
    async *items(): AsyncGenerator<SourceItem> {
      for await (const record of readWxr(file)) {
        if ('fault' in record) {
          yield { noted: { source: file, reason: `not well-formed, read on: ${record.fault}` } };
        }
        if (!('item' in record)) continue;
        const { fields, comments } = record.item;
        const type = fields['wp:post_type'] ?? 'post';
        if (types.has(type)) {
          for (let count = 0; count < comments; count += 1) yield { counted: 'comments left out' };
          yield contained(`${type} ${idOf(record.item)}`, () =>
            wordpressArticle(record.item, site),
          );
        } else if (type !== 'attachment' && type !== 'wp_block')
          yield { counted: `items of the type "${type}" left out` };
      }
    },
  };
}

/** Reads what the file holds outside its articles, and counts the articles. */
async function readSite(
  file: string,
  baseUrl: string | null,
  types: ReadonlySet<string>,
): Promise<{ readonly site: WordpressSite; readonly total: number }> {
  const authors = new Map<string, SourceAuthor>();
  const attachments = new Map<string, Attachment>();
  const uploads = new Map<string, Attachment[]>();
  const blocks = new Map<string, string>();
  const channel: Record<string, string> = {};
  let [items, total] = [0, 0];
  for await (const record of readWxr(file)) {
    if ('author' in record) {
      const { author } = record;
      const name = author['wp:author_display_name']?.trim() || null;
      const email = author['wp:author_email']?.trim() || null;
      const key = author['wp:author_login']?.trim() ?? '';
      authors.set(key, { key, name, email });
    } else if ('channel' in record) {
      const [name, text] = record.channel;
      channel[name] = text;
    } else if ('item' in record) {
      const { fields, meta } = record.item;
      items += 1;
      if (types.has(fields['wp:post_type'] ?? 'post')) total += 1;
      const url = fields['wp:attachment_url']?.trim();
      if (url) {
        const alt = meta['_wp_attachment_image_alt']?.[0] ?? '';
        const attachment = { url, alt, caption: fields['excerpt:encoded']?.trim() ?? '' };
        attachments.set(fields['wp:post_id'] ?? '', attachment);
        const parent = fields['wp:post_parent'] ?? '0';
        if (parent !== '0') uploads.set(parent, [...(uploads.get(parent) ?? []), attachment]);
      } else if (fields['wp:post_type'] === 'wp_block') {
        blocks.set(fields['wp:post_id'] ?? '', fields['content:encoded'] ?? '');
      }
    }
  }
  if (items === 0) throw new OperatorError(`${file} is no export of WordPress: it has no items.`);
  const urlInFile = channel['wp:base_blog_url'] ?? channel['link'] ?? '';
  const normalizedUrl = URL.canParse(urlInFile) ? urlInFile.replace(/\/?$/, '/') : null;
  const site = {
    urlInFile,
    baseUrl: baseUrl ?? normalizedUrl,
    authors,
    attachments,
    uploads,
    blocks,
  };
  return { site, total };
}
