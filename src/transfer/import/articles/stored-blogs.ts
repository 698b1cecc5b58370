import type { Types } from 'mongoose';
import type {
  BlogImportService,
  KnownBlog,
} from '../../../blog/core/import/blog-import.service.js';
import { isSameArticle } from './article-id.js';

/**
 * Finds the blogs as which an earlier run has stored articles. A blog counts whose id is that of the article, or whose
 * slug is that which the article should have and whose id differs by the time only.
 *
 * @returns a blog, or undefined, for each article in order
 */
export async function storedBlogs(
  imports: BlogImportService,
  articles: readonly { readonly _id: Types.ObjectId; readonly slug: string }[],
): Promise<(KnownBlog | undefined)[]> {
  const known = [
    ...(await imports.findByIds(articles.map(({ _id }) => _id))),
    ...(await imports.findBySlugs(articles.map(({ slug }) => slug))),
  ];
  return articles.map(({ _id }) => known.find((blog) => isSameArticle(blog._id, _id)));
}

/** The slugs among these that stored blogs have or once had, and the other slugs of the same blogs. */
export async function takenSlugs(
  imports: BlogImportService,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const blogs = slugs.length === 0 ? [] : await imports.findBySlugs(slugs);
  return new Set(blogs.flatMap((blog) => blog.slugs));
}
