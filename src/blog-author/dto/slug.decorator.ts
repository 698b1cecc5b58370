import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isUsableSlug, normalizeSlug } from '../../blog/text/slug.js';
import { Optional } from '../../common/validation/text.decorator.js';

interface SlugOptions {
  readonly max: number;
  readonly example: string;
  readonly description?: string;
}

/** Normalises a slug, except one that is too long: that one is left for the validator to refuse. */
function normalized(value: unknown, max: number): unknown {
  if (typeof value !== 'string') return value;
  const slug = value.trim();
  // A prefix is enough, however long the text is: a code point has at most two code units.
  const isFit = [...slug.slice(0, 2 * max + 1)].length <= max;
  return isFit ? normalizeSlug(slug) : value;
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
    Transform(({ value }: { value: unknown }) => normalized(value, max)),
    Optional(),
    ValidateBy({
      name: 'slug',
      validator: {
        validate: (value) => typeof value === 'string' && isUsableSlug(value),
        defaultMessage: () =>
          `slug must have 1 to ${max} characters and at least one letter, digit or one of -_~`,
      },
    }),
  );
}
