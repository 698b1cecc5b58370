import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { AuthorView, toAuthorView } from '../../user/views/author.view.js';
import type { BlogContent } from '../blog-content.js';
import type { Blog } from '../blog.schema.js';
import { BlogFields } from './blog-fields.js';

/** One row of an author's or editor's list. */
export class EditorialItemView extends BlogFields {
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
export const EDITORIAL_ITEM_FIELDS = [
  'title',
  'description',
  'slug',
  'tags',
  'imgUrl',
  'score',
  'author',
  'submitted',
  'drafted',
  'published',
  'createdAt',
  'updatedAt',
  'live.title',
  'live.description',
  'live.slug',
  'live.tags',
  'live.imgUrl',
] as const;

/** @param face the working copy for the author; for an editor what review or readers see */
export function toEditorialItemView(
  blog: Blog,
  face: BlogContent,
  authorNames: ReadonlyMap<string, string>,
): EditorialItemView {
  return {
    _id: blog._id.toHexString(),
    title: face.title,
    description: face.description,
    slug: face.slug,
    ...(face.imgUrl === undefined ? {} : { imgUrl: face.imgUrl }),
    score: blog.score,
    tags: face.tags,
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
