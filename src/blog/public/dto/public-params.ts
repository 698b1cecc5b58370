import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { earlierTagKey } from '../../core/text/words.js';
import { Parse } from '../../../platform/http/validation/check.decorators.js';

/** Declares a text in a path. */
const PathText = (
  options: ApiPropertyOptions,
  normalize: (text: string) => string = (text) => text,
): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: String, minLength: 1, ...options }),
    Parse(normalize),
    ValidateBy({ name: 'text', validator: { validate: (value) => typeof value === 'string' } }),
  );

/** The `{slug}` in a path, in any spelling: `getBySlug` looks for the blog under several. */
export class SlugParam {
  @PathText({ maxLength: 200, example: 'notes-on-the-analytical-engine' })
  readonly slug!: string;
}

/** The `{tag}` in a path, in any case. Its length is not limited: an unknown tag has an empty list. */
export class TagParam {
  @PathText({ example: 'computing' }, earlierTagKey)
  readonly tag!: string;
}
