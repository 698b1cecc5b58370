import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { isUsableSlug, normalizeSlug } from '../text/slug.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';

interface SlugOptions {
  readonly max: number;
  readonly example: string;
  readonly description?: string;
}

/** Normalises a slug. A slug that is too long stays as it is, and the validator refuses it. */
function normalized(text: string, max: number): string {
  const slug = text.trim();
  // It is enough to count the code points of a prefix: a code point has at most two code units.
  const isWithinMax = [...slug.slice(0, 2 * max + 1)].length <= max;
  return isWithinMax ? normalizeSlug(slug) : text;
}

/** An optional slug, which is normalised before it is validated. */
export function Slug({ max, example, description }: SlugOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      minLength: 1,
      maxLength: max,
      example,
      ...(description === undefined ? {} : { description }),
    }),
    Parse((text) => normalized(text, max)),
    Optional(),
    Check((value) =>
      typeof value === 'string' && isUsableSlug(value)
        ? null
        : `must have 1 to ${max} characters and at least one letter, digit or one of -_~`,
    ),
  );
}
