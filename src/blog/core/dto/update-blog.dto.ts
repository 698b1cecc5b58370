import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { OBJECT_ID_PATTERN } from '../../../platform/http/object-id/object-id.param.js';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import { TakesObject } from '../../../platform/http/input/parse-input.js';
import type { CoverChoice } from '../../media/cover/cover.js';
import { CreateBlogDto } from './create-blog.dto.js';

function blogIdProblem(value: unknown): string | null {
  if (value === undefined) return 'is missing';
  const isId = typeof value === 'string' && OBJECT_ID_PATTERN.test(value);
  return isId ? null : 'must be 24 hexadecimal characters';
}

const BLOG_ID_SCHEMA = {
  type: String,
  pattern: OBJECT_ID_PATTERN.source,
  example: '66f1a2b3c4d5e6f708192a3b',
} as const;

/** A field that is left out keeps its value. `null` is validated like any other value. */
class BlogChanges extends PartialType(CreateBlogDto, { skipNullProperties: false }) {
  // PartialType does not inherit this.
  @TakesObject()
  declare readonly cover?: CoverChoice | null | undefined;
}

export class UpdateBlogDto extends BlogChanges {
  @ApiPropertyOptional({ ...BLOG_ID_SCHEMA, description: 'When sent, the same as in the path' })
  @Optional()
  @Check(blogIdProblem)
  readonly _id?: string;
}

/**
 * The body of `PUT /blog/author`, a path of the older server: here `_id` is required. A class that
 * extended UpdateBlogDto would inherit the rule that makes `_id` optional.
 */
export class UpdateNamedBlogDto extends BlogChanges {
  @ApiProperty(BLOG_ID_SCHEMA)
  @Check(blogIdProblem)
  readonly _id!: string;
}
