import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isUsableSlug, normalizeSlug } from '../../blog/text/slug.js';
import { Optional } from '../../common/validation/text.decorator.js';

const MAX_LENGTH = 200;

/** What is too long, once trimmed, stays as typed, so that the validator refuses it. */
function normalized({ value }: { value: unknown }): unknown {
  if (typeof value !== 'string') return value;
  const slug = value.trim();
  const isFit = [...slug.slice(0, 2 * MAX_LENGTH + 1)].length <= MAX_LENGTH;
  return isFit ? normalizeSlug(slug) : value;
}

/** An optional slug in its normal form (contract, section 5). */
export function Slug(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      minLength: 1,
      maxLength: MAX_LENGTH,
      example: 'notes-on-the-analytical-engine',
      description: 'Normalised: lower case, blanks to -; made from the title when left out',
    }),
    Transform(normalized),
    Optional(),
    ValidateBy({
      name: 'slug',
      validator: {
        validate: (value) => typeof value === 'string' && isUsableSlug(value),
        defaultMessage: () =>
          `slug must have 1 to ${MAX_LENGTH} characters and at least one letter, digit or one of -_~`,
      },
    }),
  );
}
