import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { normalizeSlug } from '../../core/text/slug.js';
import { earlierTagKey } from '../../core/text/words.js';
import { Parse } from '../../../platform/http/validation/check.decorators.js';

/**
 * Declares a text in a path. It is converted to the normal form in which the database stores such
 * texts.
 */
const PathText = (
  normalize: (text: string) => string,
  options: ApiPropertyOptions,
): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: String, minLength: 1, ...options }),
    Parse(normalize),
    ValidateBy({ name: 'text', validator: { validate: (value) => typeof value === 'string' } }),
  );

/** The `{slug}` in a path, in any case. */
export class SlugParam {
  @PathText(normalizeSlug, { maxLength: 200, example: 'notes-on-the-analytical-engine' })
  readonly slug!: string;
}

/** The `{tag}` in a path, in any case. Its length is not limited: an unknown tag has an empty list. */
export class TagParam {
  @PathText(earlierTagKey, { example: 'computing' })
  readonly tag!: string;
}
