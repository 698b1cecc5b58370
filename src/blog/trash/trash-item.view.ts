import { ApiProperty } from '@nestjs/swagger';
import type { Blog } from '../core/blog.schema.js';
import {
  EDITORIAL_ITEM_FIELDS,
  EditorialItemView,
  toEditorialItemView,
} from '../core/views/editorial-item.view.js';
import type { LinksOf } from '../../platform/picture/picture-address.js';
import { TIME } from '../../platform/http/openapi/properties.js';

/** An item in an author's trash. */
export class TrashItemView extends EditorialItemView {
  @ApiProperty({ ...TIME, description: 'When the blog was deleted' })
  readonly trashedAt!: Date;
}

export const TRASH_ITEM_FIELDS: readonly string[] = [...EDITORIAL_ITEM_FIELDS, 'trashedAt'];

/** A blog in the trash. */
export type TrashedBlog = Blog & Required<Pick<Blog, 'trashedAt'>>;

export function toTrashItemView(
  blog: TrashedBlog,
  authorNames: ReadonlyMap<string, string>,
  linksOf: LinksOf,
): TrashItemView {
  return { ...toEditorialItemView(blog, blog, authorNames, linksOf), trashedAt: blog.trashedAt };
}
