import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { hasLength } from '../../../platform/http/validation/text-length.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';

interface SlugOptions {
  readonly max: number;
  readonly example: string;
  readonly description?: string;
}

/** The end of an error message about a slug of which nothing, or too much, is left once normalised. */
export function unusableSlug(max: number): string {
  return (
    `must have 1 to ${max} characters, also in its normal form, ` +
    'and at least one letter, digit, _ or ~'
  );
}

/**
 * An optional slug. `checkedFields` normalises it, because a request may repeat the stored slug, which
 * may have the normal form of an earlier version.
 */
export function Slug({ max, example, description }: SlugOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      minLength: 1,
      maxLength: max,
      example,
      ...(description === undefined ? {} : { description }),
    }),
    Parse((text) => text.trim()),
    Optional(),
    Check((value) =>
      typeof value === 'string' && hasLength(value, { min: 1, max }) ? null : unusableSlug(max),
    ),
  );
}
