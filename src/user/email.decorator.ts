import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isEmail, ValidateBy } from 'class-validator';

const MAX_LENGTH = 254;

/** Trims and lower-cases an email address, so that all spellings lead to the same account. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

function isAddress(value: unknown): boolean {
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
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? normalizeEmail(value) : value,
    ),
    ValidateBy({
      name: 'email',
      validator: {
        validate: isAddress,
        defaultMessage: (args) => `${args?.property} must be a valid email address`,
      },
    }),
  );
}
