import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { OBJECT_ID_PATTERN } from '../../common/object-id/object-id.param.js';
import { HttpUrl } from '../../common/validation/http-url.js';
import { Optional, Text, TextList } from '../../common/validation/text.decorator.js';
import { BLOG_TEXT } from './blog-text.js';
import { Slug } from './slug.decorator.js';

/** What is not named stays as it is. */
export class UpdateBlogDto {
  @ApiPropertyOptional({
    type: String,
    pattern: OBJECT_ID_PATTERN.source,
    example: '66f1a2b3c4d5e6f708192a3b',
    description: 'When sent, the same as in the path',
  })
  @Optional()
  @ValidateBy({
    name: 'objectId',
    validator: {
      validate: (value) => typeof value === 'string' && OBJECT_ID_PATTERN.test(value),
      defaultMessage: () => '_id must be 24 hexadecimal characters',
    },
  })
  readonly _id?: string;

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

/** For the older server's `PUT /blog/author`, whose body names the blog. */
export class UpdateNamedBlogDto extends UpdateBlogDto {
  @ApiProperty()
  @ValidateBy({
    name: 'objectIdRequired',
    validator: {
      validate: (value) => value !== undefined,
      defaultMessage: () => '_id is missing',
    },
  })
  declare readonly _id: string;
}
