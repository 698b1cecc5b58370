import type { Types } from 'mongoose';
import { IS_SHOWN_TO_EDITORS, ownBlogs, type Blog, type BlogFilter } from '../core/blog.schema.js';
import type { PreviewKind } from './blog-preview.schema.js';
import type { FoundPreview } from './preview-store.js';
import { effectiveRole, type RoleCode } from '../../platform/http/access/role-code.js';

interface KindRules {
  /** The role that the issuer must have while the preview is used. */
  readonly role: RoleCode;
  /** The filter for blogs of which this user may make and end previews. */
  readonly previewableBy: (user: Types.ObjectId) => BlogFilter;
  /** Whether previews of this kind show the working copy of the blog at this moment. */
  readonly shows: (
    blog: Pick<Blog, 'author' | 'authorLeft' | 'submitted'>,
    issuer: Types.ObjectId,
  ) => boolean;
}

export const PREVIEW_KINDS: Readonly<Record<PreviewKind, KindRules>> = {
  author: {
    role: 'AUTHOR',
    previewableBy: ownBlogs,
    shows: ({ author, authorLeft }, issuer) => issuer.equals(author) && !authorLeft,
  },
  editor: {
    role: 'EDITOR',
    previewableBy: () => IS_SHOWN_TO_EDITORS,
    shows: ({ submitted }) => submitted,
  },
};

/**
 * @returns the blog that a preview shows; null when the preview has ended, or shows nothing at this
 *   moment
 */
export function shownBlog(
  { kind, issuer, generation, expiresAt, blogs: [blog], roles }: FoundPreview,
  now: Date,
): Blog | null {
  const { role, shows } = PREVIEW_KINDS[kind];
  const isShown =
    blog !== undefined &&
    expiresAt > now &&
    (blog.previewGeneration ?? 0) === generation &&
    roles.some(({ code }) => effectiveRole(code) === role) &&
    shows(blog, issuer);
  return isShown ? blog : null;
}
