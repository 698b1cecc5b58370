import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { AuthorView, toAuthorView } from '../../user/views/author.view.js';
import { LIVE_FIELDS } from '../blog-fields.js';
import type { Blog } from '../blog.schema.js';
import { BlogView, toBlogView, type BlogVersion } from './blog.view.js';

/** An item in a list of an author or editor. */
export class EditorialItemView extends BlogView {
  @ApiProperty({ type: AuthorView })
  readonly author!: AuthorView;

  @ApiProperty({ example: false })
  readonly submitted!: boolean;

  @ApiProperty({ example: true })
  readonly drafted!: boolean;

  @ApiProperty({ example: false })
  readonly published!: boolean;

  @ApiProperty(TIME)
  readonly createdAt!: Date;

  @ApiProperty(TIME)
  readonly updatedAt!: Date;
}

/** The fields that a list reads. It leaves out the texts, which may have 100,000 characters each. */
export const EDITORIAL_ITEM_FIELDS: readonly string[] = [
  ...LIVE_FIELDS,
  'score',
  'author',
  'submitted',
  'drafted',
  'published',
  'createdAt',
  'updatedAt',
  ...LIVE_FIELDS.map((field) => `live.${field}`),
];

/** The version that an editor sees: the submitted working copy, else the live version. */
export function editorVersion(blog: Blog): BlogVersion {
  return blog.submitted || !blog.live ? blog : blog.live;
}

/** @param version the working copy for the author, `editorVersion` for an editor */
export function toEditorialItemView(
  blog: Blog,
  version: BlogVersion,
  authorNames: ReadonlyMap<string, string>,
): EditorialItemView {
  // Records of an older server may lack both times. An ObjectId contains the time of its creation.
  const createdAt = (blog.createdAt as Date | null | undefined) ?? blog._id.getTimestamp();
  return {
    ...toBlogView(blog, version),
    author: toAuthorView(blog.author, authorNames),
    submitted: blog.submitted,
    drafted: blog.drafted,
    published: blog.published,
    createdAt,
    updatedAt: blog.updatedAt ?? createdAt,
  };
}
