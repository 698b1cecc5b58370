import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { TIME } from '../../../platform/http/openapi/properties.js';
import { AuthorView, toAuthorView, toPersonView } from '../../../user/views/author.view.js';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
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

  @ApiPropertyOptional({ ...TIME, description: 'When it was submitted; only while in review' })
  readonly submittedAt?: Date;

  @ApiPropertyOptional({ type: AuthorView, description: 'The editor who takes care of it' })
  readonly assignedTo?: AuthorView;

  @ApiPropertyOptional({ ...TIME, description: 'When the submission is to be published' })
  readonly publishAt?: Date;

  @ApiPropertyOptional({ ...TIME, description: 'When it is to be unpublished' })
  readonly unpublishAt?: Date;
}

/** The fields that a list reads. The texts, which may have 100,000 characters each, are left out. */
export const EDITORIAL_ITEM_FIELDS: readonly string[] = [
  ...LIVE_FIELDS,
  'score',
  'author',
  'submitted',
  'drafted',
  'published',
  'createdAt',
  'updatedAt',
  'submittedAt',
  'assignedTo',
  'schedule',
  ...LIVE_FIELDS.map((field) => `live.${field}`),
];

/** The version that an editor sees: the live version, or the working copy if it is submitted or nothing is live. */
export function editorVersion(blog: Blog): BlogVersion {
  return blog.submitted || !blog.live ? blog : blog.live;
}

/** The people whose names the views of a blog show. */
export function peopleOf({ author, assignedTo, returned }: Blog): Types.ObjectId[] {
  return [author, assignedTo, returned?.by].filter((id) => id !== undefined && id !== null);
}

/** @param version the working copy for the author, `editorVersion` for an editor */
export function toEditorialItemView(
  blog: Blog,
  version: BlogVersion,
  names: ReadonlyMap<string, string>,
  linksOf: LinksOf,
): EditorialItemView {
  const { submitted, submittedAt, assignedTo, schedule } = blog;
  // Records of an older server may lack both times. An ObjectId contains the time of its creation.
  const createdAt = (blog.createdAt as Date | null | undefined) ?? blog._id.getTimestamp();
  return {
    ...toBlogView(blog, version, linksOf),
    author: toAuthorView(blog.author, names),
    submitted,
    drafted: blog.drafted,
    published: blog.published,
    createdAt,
    updatedAt: blog.updatedAt ?? createdAt,
    ...(submitted && submittedAt ? { submittedAt } : {}),
    ...(assignedTo ? { assignedTo: toPersonView(assignedTo, names) } : {}),
    ...(schedule?.publish ? { publishAt: schedule.publish.at } : {}),
    ...(schedule?.unpublish ? { unpublishAt: schedule.unpublish.at } : {}),
  };
}
