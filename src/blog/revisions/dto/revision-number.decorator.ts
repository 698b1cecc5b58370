import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';

const MAX = 999_999_999;

/** The form of a revision number: digits without a sign or leading zeros. */
const DIGITS = /^(?:0|[1-9]\d{0,8})$/;

/** The word that names the working copy instead of a revision. */
export const WORKING = 'working';

/** Parses and validates the number of a revision in a path or a query. */
export function RevisionNumber(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'integer', minimum: 0, maximum: MAX, example: 2 }),
    Parse(parseRevisionNumber),
    Check((value) =>
      typeof value === 'number' ? null : `must be a revision number, from 0 to ${MAX}`,
    ),
  );
}

/** Parses and validates the number of a revision, or `working`. */
export function RevisionNumberOrWorking(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, pattern: `^(?:0|[1-9][0-9]{0,8}|${WORKING})$`, example: WORKING }),
    Parse(parseRevisionNumber),
    Check((value) =>
      typeof value === 'number' || value === WORKING
        ? null
        : `must be a revision number, from 0 to ${MAX}, or ${WORKING}`,
    ),
  );
}

/** Parses a revision number. Any other text stays as it is, for the validator to check. */
function parseRevisionNumber(text: string): number | string {
  return DIGITS.test(text) ? Number(text) : text;
}
