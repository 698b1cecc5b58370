import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { OBJECT_ID_PATTERN } from '../../common/object-id/object-id.param.js';
import { HttpUrl } from '../../common/validation/http-url.js';
import { Optional, Text, TextList } from '../../common/validation/text.decorator.js';
import { BLOG_TEXT } from './blog-text.js';
import { Slug } from './slug.decorator.js';

const BLOG_ID = {
  name: 'objectId',
  validator: {
    validate: (value: unknown) => typeof value === 'string' && OBJECT_ID_PATTERN.test(value),
    defaultMessage: (args?: ValidationArguments) =>
      args?.value === undefined ? '_id is missing' : '_id must be 24 hexadecimal characters',
  },
} as const;

const BLOG_ID_SCHEMA = {
  type: String,
  pattern: OBJECT_ID_PATTERN.source,
  example: '66f1a2b3c4d5e6f708192a3b',
} as const;

/** What is not named stays as it is. */
class BlogChanges {
  @Text({ ...BLOG_TEXT.title, optional: true })
  readonly title?: string;

  @Text({ ...BLOG_TEXT.description, optional: true })
  readonly description?: string;

  @Text({ ...BLOG_TEXT.draftText, optional: true })
  readonly draftText?: string;

  @Slug()
  readonly slug?: string;

  @HttpUrl(BLOG_TEXT.imgUrl)
  readonly imgUrl?: string | null;

  @TextList({ ...BLOG_TEXT.tags, optional: true })
  readonly tags?: readonly string[];
}

export class UpdateBlogDto extends BlogChanges {
  @ApiPropertyOptional({ ...BLOG_ID_SCHEMA, description: 'When sent, the same as in the path' })
  @Optional()
  @ValidateBy(BLOG_ID)
  readonly _id?: string;
}

/**
 * For the older server's `PUT /blog/author`, whose body names the blog. No heir of the other: a
 * rule that makes a field optional is inherited with it.
 */
export class UpdateNamedBlogDto extends BlogChanges {
  @ApiProperty(BLOG_ID_SCHEMA)
  @ValidateBy(BLOG_ID)
  readonly _id!: string;
}
