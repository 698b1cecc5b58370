import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isEmail } from 'class-validator';
import { Check, Parse } from '../platform/http/validation/check.decorators.js';
import { asOneLine, forbiddenProblem, withoutInvisible } from '../platform/text/characters.js';

const MAX_LENGTH = 254;

/** Trims and lower-cases an email address, so that all spellings lead to the same account. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether a new account can have this email address. All of its characters can be seen, on one line. */
export function isEmailAddress(value: unknown): boolean {
  return (
    isStoredAddress(value) &&
    withoutInvisible(asOneLine(value)) === value &&
    !forbiddenProblem(value)
  );
}

/** Whether an account can have this email address that an earlier version may have stored. */
function isStoredAddress(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= MAX_LENGTH &&
    // isEmail throws on an unpaired surrogate.
    value.isWellFormed() &&
    isEmail(value)
  );
}

const Address = (isValid: (value: unknown) => boolean): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: String,
      format: 'email',
      maxLength: MAX_LENGTH,
      example: 'ada@example.org',
    }),
    Parse(normalizeEmail),
    Check((value) => (isValid(value) ? null : 'must be a valid email address')),
  );

/** Declares the email address of an account. */
export const Email = (): PropertyDecorator => Address(isStoredAddress);

/** Declares the email address of a new account. */
export const NewEmail = (): PropertyDecorator => Address(isEmailAddress);
