import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isEmail } from 'class-validator';
import { Check, Parse } from '../platform/http/validation/check.decorators.js';

const MAX_LENGTH = 254;

/** Trims and lower-cases an email address, so that all spellings lead to the same account. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether an account can have this email address. */
export function isEmailAddress(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= MAX_LENGTH &&
    // isEmail throws on an unpaired surrogate.
    value.isWellFormed() &&
    isEmail(value)
  );
}

export function Email(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      format: 'email',
      maxLength: MAX_LENGTH,
      example: 'ada@example.org',
    }),
    Parse(normalizeEmail),
    Check((value) => (isEmailAddress(value) ? null : 'must be a valid email address')),
  );
}
