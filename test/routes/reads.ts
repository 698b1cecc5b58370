import type { BlogBody } from '../support/blog-fields.js';
import { pathTo } from './calls.js';
import type { Named } from './row.js';
import { API_ROUTES, type ApiRoute } from './routes.js';

/** A blog and what leads to it. */
export interface AimedBlog {
  readonly _id: string;
  readonly body: Pick<BlogBody, 'slug' | 'tags'>;
  readonly author: { readonly _id: string };
  /** Another live blog that has words or tags in common with it. */
  readonly neighbour: { readonly _id: string };
}

/** A read that shows blogs to any holder of an API key. */
export interface BlogRead {
  readonly route: string;
  readonly isList: boolean;
  /** It leads from page to page. */
  readonly isPaged: boolean;
  /** May come from the cache. */
  readonly isCached: boolean;
  /** Where the blog is shown while it is live. */
  readonly pathTo: (blog: AimedBlog) => string;
}

/** What stands for the parameter of a path that shows the blog. */
const AIMS: Readonly<Partial<Record<Named, (blog: AimedBlog, isList: boolean) => string>>> = {
  nothing: () => '',
  // A list that names a blog shows others that are like it.
  blog: ({ _id, neighbour }, isList) => (isList ? neighbour._id : _id),
  slug: ({ body }) => body.slug,
  tag: ({ body }) => body.tags[0] ?? '',
  user: ({ author }) => author._id,
};

/** All of them, as the router has them: a new one is read by every test of what readers see. */
export const BLOG_READS: readonly BlogRead[] = API_ROUTES.filter(
  ({ method, access }) => method === 'GET' && access.token === 'none',
).flatMap(blogReadOf);

/** @throws Error for a route that cannot be aimed at a blog by what its row says that it names */
function blogReadOf(route: ApiRoute): BlogRead[] {
  const { names, endpoint } = route;
  const isList = Array.isArray(endpoint.data);
  // What neither names something nor lists anything shows no blog: health, keys.
  if (names === 'nothing' && !isList) return [];
  const aim = AIMS[names];
  if (!aim) throw new Error(`${route.route} is public and names a ${names}`);
  return [
    {
      route: route.route,
      isList,
      isPaged: endpoint.paged === true,
      isCached: endpoint.cache !== undefined,
      pathTo: (blog) => pathTo(route, aim(blog, isList)),
    },
  ];
}
