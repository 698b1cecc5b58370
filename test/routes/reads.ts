import { ListingItemView } from '../../src/blog/core/views/listing-item.view.js';
import type { BlogBody } from '../support/blog-fields.js';
import { pathTo } from './calls.js';
import type { ParameterKind } from './row.js';
import { API_ROUTES, type ApiRoute } from './routes.js';

/** A blog, with every value that the parameter of a path to the blog may have. */
export interface BlogPathParameters {
  readonly _id: string;
  readonly body: Pick<BlogBody, 'slug' | 'tags' | 'title'>;
  readonly author: { readonly _id: string };
  /** Another live blog that has words or tags in common with it. */
  readonly similarBlog: { readonly _id: string };
}

/** A read that shows blogs to any holder of an API key. */
export interface BlogRead {
  readonly route: string;
  readonly isList: boolean;
  /** The list has pages. */
  readonly isPaged: boolean;
  /** The response cache may repeat the response. */
  readonly isCached: boolean;
  /** The path that shows the blog while it is live; for a search route, it searches for the blog's title. */
  readonly pathTo: (blog: BlogPathParameters) => string;
}

/** The metadata key under which `ApiProperty` stores its options. */
const MODEL_PROPERTIES = 'swagger/apiModelProperties';

/** The value of the parameter with which a path shows the blog, by the kind of the parameter. */
const PARAMETER_OF_BLOG: Readonly<
  Partial<Record<ParameterKind, (blog: BlogPathParameters, isList: boolean) => string>>
> = {
  nothing: () => '',
  // A list with the id of a blog shows the blogs that are similar to it.
  blog: ({ _id, similarBlog }, isList) => (isList ? similarBlog._id : _id),
  slug: ({ body }) => body.slug,
  tag: ({ body }) => body.tags[0] ?? '',
  user: ({ author }) => author._id,
};

const PUBLIC_READS = API_ROUTES.filter(
  ({ method, access }) => method === 'GET' && access.token === 'none',
);

/**
 * All reads of published blogs, as the controllers declare them. So every test of what readers see also covers a
 * new read.
 */
export const BLOG_READS: readonly BlogRead[] = PUBLIC_READS.filter(
  ({ parameter }) => parameter !== 'preview',
).flatMap(blogReadOf);

/** The exception to the publish boundary: reads by the token of a preview. */
export const PREVIEW_READS: readonly ApiRoute[] = PUBLIC_READS.filter(
  ({ parameter }) => parameter === 'preview',
);

/**
 * Public reads without the envelope, as the controllers declare them: feeds and sitemap. They never contain what is
 * not published, however their articles are selected.
 */
export const DOCUMENT_READS: readonly string[] = PUBLIC_READS.filter(
  ({ endpoint }) => endpoint.document !== undefined,
).map(({ path }) => path);

/** The items of a list: its `data`, or the `items` in its `data`. */
export function itemsIn(
  data: unknown,
): readonly { readonly _id: string; readonly title: string }[] {
  const { items = data } = data as { readonly items?: unknown };
  if (!Array.isArray(items)) throw new Error(`no list: ${JSON.stringify(data)}`);
  return items as ReturnType<typeof itemsIn>;
}

/** The view of the property `items`, as the decorators declare it; undefined if there is no such property. */
function viewOfItems(view: new () => object): unknown {
  const declared = Reflect.getMetadata(MODEL_PROPERTIES, view.prototype as object, 'items') as
    { readonly type?: unknown } | undefined;
  return [declared?.type].flat()[0];
}

function isBlogView(view: unknown): boolean {
  if (typeof view !== 'function') return false;
  return view === ListingItemView || view.prototype instanceof ListingItemView;
}

/** @throws Error for a route whose parameter cannot identify a blog */
function blogReadOf(route: ApiRoute): BlogRead[] {
  const { parameter, endpoint, query } = route;
  const view = [endpoint.data].flat()[0] as (new () => object) | undefined;
  if (!view) return [];
  const isPageOfItems = isBlogView(viewOfItems(view));
  if (!isBlogView(view) && !isPageOfItems) return [];
  const isList = Array.isArray(endpoint.data) || isPageOfItems;
  const parameterOf = PARAMETER_OF_BLOG[parameter];
  if (!parameterOf) throw new Error(`${route.route} is public and has the parameter ${parameter}`);
  const isSearch = query !== undefined && 'q' in query;
  return [
    {
      route: route.route,
      isList,
      isPaged: endpoint.paged === true,
      isCached: endpoint.cache !== undefined,
      pathTo: (blog) =>
        pathTo(route, parameterOf(blog, isList)) +
        (isSearch ? `?q=${encodeURIComponent(blog.body.title)}` : ''),
    },
  ];
}
