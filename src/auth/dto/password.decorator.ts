import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Optional } from '../../platform/http/validation/text.decorator.js';
import { Check } from '../../platform/http/validation/check.decorators.js';

/**
 * Longest password in bytes: bcrypt ignores all bytes after the 72nd, so a longer password is
 * refused.
 */
const MAX_BYTES = 72;

interface PasswordOptions {
  /** Minimum length in characters; 0 at sign-in, because old accounts may have a shorter password. */
  readonly min: number;
  /** Whether the request may lack it. */
  readonly optional?: boolean;
}

function passwordProblem(value: unknown, { min }: PasswordOptions): string | null {
  if (value === undefined || value === null) return 'is missing';
  if (typeof value !== 'string') return 'must be text';
  if (value.includes('\0') || !value.isWellFormed()) return 'must be valid Unicode without NUL';
  if ([...value].length < min) return `must have at least ${min} characters`;
  if (Buffer.byteLength(value) > MAX_BYTES) return `must have at most ${MAX_BYTES} bytes of UTF-8`;
  return null;
}

/** Declares a password. It is checked as the user typed it: neither trimmed nor normalised. */
export function Password(options: PasswordOptions): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      format: 'password',
      ...(options.min > 0 ? { minLength: options.min } : {}),
      maxLength: MAX_BYTES,
      required: !options.optional,
      example: 'correct horse battery staple',
      description: `At most ${MAX_BYTES} bytes of UTF-8`,
    }),
    ...(options.optional ? [Optional()] : []),
    Check((value) => passwordProblem(value, options)),
  );
}
