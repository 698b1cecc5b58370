import type { ArticleSource, ImportedArticle, SourceItem } from '../articles/imported-article.js';
import { PLAIN_DRAFT } from '../articles/imported-article.js';
import { contained } from '../articles/contained.js';
import { ArchivePictures } from '../pictures/archive-pictures.js';
import { sourceDate } from '../dates/source-date.js';
import { openFiles } from '../files/source-files.js';
import {
  attributeOf,
  elementsIn,
  findIn,
  hasClass,
  innerHtml,
  parseHtml,
  remove,
  textIn,
  type HtmlFragment,
} from '../html/dom.js';
import { OperatorError } from '../../../platform/config/operator.error.js';

/** Matches the file of an article: `posts/2024-01-31_A-title-0123456789ab.html`, or `posts/draft_…`. */
const POST = /(?:^|\/)posts\/[^/]+\.html$/;
const DRAFT = /(?:^|\/)draft_/;
/** Matches the hosts of pictures of Medium. */
const HOST = /(?:^|\.)medium\.com$/;
/** Matches the slug and the id at the end of an address of Medium. */
const ADDRESS = /\/([^/?#]*?)-?([0-9a-f]{8,16})\/?(?:[?#].*)?$/s;

/**
 * Opens an export of Medium.
 *
 * @param path the zip, or the folder that it was unpacked to
 * @throws OperatorError when it cannot be read, or holds no articles
 */
export async function openMedium(path: string): Promise<ArticleSource> {
  const found = await openFiles(path);
  found.close();
  const posts = found.paths.filter((name) => POST.test(name));
  if (posts.length === 0) throw new OperatorError(`${path} holds no articles of Medium.`);
  return {
    total: posts.length,
    pictures: async () => new ArchivePictures(await openFiles(path), (host) => HOST.test(host)),
    async *items(): AsyncGenerator<SourceItem> {
      const files = await openFiles(path);
      for (const post of posts) {
        const source = post.slice(post.lastIndexOf('/') + 1);
        const text = await files.read(post);
        yield typeof text === 'string'
          ? contained(source, () => mediumItem(source, text))
          : { skipped: { source, ...text } };
      }
      files.close();
    },
  };
}

function mediumItem(source: string, text: string): SourceItem {
  const page = parseHtml(text);
  const body = findIn(page, '.e-content');
  if (body === null) return { skipped: { source, reason: 'it is no article of Medium' } };
  const title = textIn(findIn(page, '.p-name'));
  const isReply = elementsIn(body, (element) => hasClass(element, 'graf--title')).length === 0;
  const summary = textIn(findIn(page, '.p-summary'));
  const address = attributeOf(findIn(page, '.p-canonical'), 'href') || viewOf(page);
  const [, slug = '', id = ''] = ADDRESS.exec(address) ?? [];
  const publishedAt = sourceDate(attributeOf(findIn(page, '.dt-published'), 'datetime'));
  const author = findIn(page, '.p-author');
  for (const element of elementsIn(body, (each) => isRepeated(each, { title, summary }))) {
    remove(element);
  }
  const article: ImportedArticle = {
    source,
    identity: `medium ${id || source}`,
    title,
    description: summary,
    html: innerHtml(body),
    slug: slug === '' || slug === 'p' ? null : slug,
    tags: elementsIn(page, (element) => hasClass(element, 'p-tag')).map(textIn),
    imgUrl: attributeOf(
      elementsIn(body, (each) => each.tagName === 'img' && hasClass(each, 'graf-image'))[0] ?? null,
      'src',
    ),
    hidden: DRAFT.test(source) || publishedAt === null ? PLAIN_DRAFT : replyOf(isReply, summary),
    createdAt: publishedAt,
    updatedAt: null,
    publishedAt,
    authors:
      author === null
        ? []
        : [
            {
              key: /@([\w.-]+)/.exec(attributeOf(author, 'href'))?.[1] ?? null,
              name: textIn(author),
              email: null,
            },
          ],
    base: null,
    addresses: address === '' ? [] : [address],
    notes: [],
  };
  return { article };
}

/** A reply to an article of somebody else has neither a title in its text nor a summary. */
function replyOf(isReply: boolean, summary: string): string | null {
  return isReply && summary === '' ? 'it may be a reply, which has no title of its own' : null;
}

function viewOf(page: HtmlFragment): string {
  const links = elementsIn(page, (element) => element.tagName === 'a');
  return links
    .map((link) => attributeOf(link, 'href'))
    .filter((href) => /^https?:\/\/(?:[\w-]+\.)*medium\.com\//.test(href))
    .reduce((last, href) => (ADDRESS.test(href) ? href : last), '');
}

/** The body repeats the title and the subtitle; a rule stands before each section. */
function isRepeated(
  element: Parameters<typeof hasClass>[0],
  { title, summary }: { readonly title: string; readonly summary: string },
): boolean {
  if (hasClass(element, 'graf--title')) return textIn(element) === title;
  if (hasClass(element, 'graf--subtitle')) return textIn(element) === summary;
  if (!hasClass(element, 'section-divider') || element.tagName !== 'div') return false;
  return element.parentNode !== null && isFirstSection(element);
}

function isFirstSection({ parentNode }: Parameters<typeof hasClass>[0]): boolean {
  return parentNode !== null && 'attrs' in parentNode && hasClass(parentNode, 'section--first');
}
