import type { Types } from 'mongoose';
import { IS_KNOWN_TO_EDITORS, ownBlogs, type Blog, type BlogFilter } from '../core/blog.schema.js';
import type { BlogVersion } from '../core/views/blog.view.js';

/** Who comments on which blog, and whether as its author or as an editor. */
export interface CommentAccess {
  readonly as: keyof typeof COMMENTERS;
  readonly userId: Types.ObjectId;
  readonly blog: Types.ObjectId;
}

/** The version of a blog that a commenter may read, and the field with its text. */
interface ReadableVersion {
  readonly version: Pick<BlogVersion, 'title' | 'description'>;
  readonly text: 'draftText' | 'text';
}

interface Commenter {
  /** The filter for a blog on which the user may comment. */
  readonly blogFilterOf: (access: Pick<CommentAccess, 'userId' | 'blog'>) => BlogFilter;
  /** The version that the user may read at the moment; null if the user may read none. */
  readonly readableOf: (blog: Blog) => ReadableVersion | null;
}

export const COMMENTERS = {
  author: {
    blogFilterOf: ({ userId, blog }) => ({ _id: blog, ...ownBlogs(userId) }),
    readableOf: (blog) => ({ version: blog, text: 'draftText' }),
  },
  editor: {
    blogFilterOf: ({ blog }) => ({ _id: blog, ...IS_KNOWN_TO_EDITORS }),
    // An editor may not read a draft that is not submitted. Without this rule, `quoteFound` would
    // reveal whether guessed words occur in it.
    readableOf: (blog) => {
      if (blog.submitted) return { version: blog, text: 'draftText' };
      return blog.published && blog.live ? { version: blog.live, text: 'text' } : null;
    },
  },
} as const satisfies Record<string, Commenter>;

export function blogFilterOf(access: CommentAccess): BlogFilter {
  return COMMENTERS[access.as].blogFilterOf(access);
}
