import { authorView, editorView } from '../views.js';
import type { Call, Request } from './operation.js';
import {
  contribute,
  isSameContent,
  makeDraft,
  noteTransition,
  refusalOf,
  slugRefusal,
  type Outcome,
  type RuleName,
} from '../rules.js';
import { type Content, type ModelBlog, type World } from '../world.js';

type AnyCall = Call<unknown>;

export const asAuthor = ({ blog, world }: AnyCall): Outcome => ({
  status: 200,
  rev: blog.rev,
  data: authorView(world, blog),
});

/** @param content what the editor sees, if it differs from the blog after the transition */
export const asEditor = ({ blog, world }: AnyCall, content?: Content): Outcome => ({
  status: 200,
  rev: blog.rev,
  data: editorView(world, blog, content),
});

export const withoutData: Outcome = { status: 200 };

/** Makes a PUT request that has the blog's id at the end of the path. */
export const put =
  <Args>(path: string, bodyOf: (call: Call<Args>) => object | undefined = () => undefined) =>
  (call: Call<Args>): Request => {
    const body = bodyOf(call);
    return { method: 'PUT', path: `${path}/${call.blog._id}`, ...(body ? { body } : {}) };
  };

/** @returns the refusal, or null after the transition was made in the model */
export function refusedOrMade(
  name: RuleName,
  call: AnyCall,
  change: (blog: ModelBlog) => void,
): Outcome | null {
  const { world, blog, by } = call;
  const refused = refusalOf(world, name, call);
  if (refused) return refused;
  change(blog);
  noteTransition(blog, name, by);
  return null;
}

/**
 * Makes an edit or a correction in the model, with all fields, unless it is refused. A live or submitted blog
 * stays as it is if it has these fields.
 */
export function refusedOrEdited(
  name: 'edit' | 'correct',
  call: AnyCall,
  content: Content,
): Outcome | null {
  const { world, blog, by } = call;
  const refused = refusalOf(world, name, call) ?? slugRefusal(world, blog, content);
  if (refused) return refused;
  if (blog.state !== 'draft' && isSameContent(blog.working, content)) return null;
  return refusedOrMade(name, call, () => {
    blog.working = content;
    contribute(blog, by);
    if (name === 'edit') makeDraft(blog);
    // A correction that has the live fields leaves nothing to review.
    else if (isSameContent(content, blog.live)) blog.state = 'live';
  });
}

export const isForeign = ({ blog, by }: AnyCall): boolean => blog.author !== by;

/** @returns whether the blog may get the slug in this world */
export function isSlugFree(world: World, blog: ModelBlog, slug: string): boolean {
  return slugRefusal(world, blog, { number: 0, slug }) === null;
}
