import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { AuthorView, toAuthorView } from '../../user/views/author.view.js';
import { LIVE_FIELDS } from '../blog-fields.js';
import type { Blog } from '../blog.schema.js';
import { BlogView, toBlogView, type BlogVersion } from './blog.view.js';

/** One row of an author's or editor's list. */
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

/** Never the texts: a list of a hundred would carry megabytes. */
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

/** What an editor may see: the submitted revision, else the live version, never a mere draft. */
export function editorVersion(blog: Blog): BlogVersion {
  return blog.submitted || !blog.live ? blog : blog.live;
}

/** @param version the working copy for the author, `editorVersion` for an editor */
export function toEditorialItemView(
  blog: Blog,
  version: BlogVersion,
  authorNames: ReadonlyMap<string, string>,
): EditorialItemView {
  return {
    ...toBlogView(blog, version),
    author: toAuthorView(blog.author, authorNames),
    submitted: blog.submitted,
    drafted: blog.drafted,
    published: blog.published,
    ...timestampsOf(blog),
  };
}

/** Records of an older server may lack them; the id tells the time of creation. */
export function timestampsOf({ _id, createdAt, updatedAt }: Blog): {
  createdAt: Date;
  updatedAt: Date;
} {
  const created = (createdAt as Date | null | undefined) ?? _id.getTimestamp();
  return { createdAt: created, updatedAt: updatedAt ?? created };
}
