import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { Optional, trimmed } from '../../common/validation/text.decorator.js';

interface Spellings {
  readonly refresh_token?: unknown;
  readonly refreshToken?: unknown;
}

function refreshTokenProblem(value: unknown): string | null {
  if (value === undefined || value === null) return 'is missing';
  return typeof value === 'string' ? null : 'must be text';
}

/**
 * Any text, trimmed: what is no token of ours is 401 like an unknown one, so that its holder signs
 * in again. Only the size of the body bounds it, and it is compared with the form of a token before
 * anything else is done with it.
 */
function RefreshToken({
  optional = false,
  description,
}: { optional?: boolean; description?: string } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      example: 'v1.q3X…',
      required: !optional,
      ...(description === undefined ? {} : { description }),
    }),
    Transform(trimmed),
    ...(optional ? [Optional()] : []),
    ValidateBy({
      name: 'refreshToken',
      validator: {
        validate: (value) => refreshTokenProblem(value) === null,
        defaultMessage: (args) => `${args?.property} ${refreshTokenProblem(args?.value)}`,
      },
    }),
  );
}

/** One spelling is enough; `refresh_token` is the interface's and wins. */
export class RefreshDto {
  // Or the transformation would not run when only the other spelling is there.
  @Expose()
  @Transform(({ obj }: { obj: Spellings }) => obj.refresh_token ?? obj.refreshToken)
  @RefreshToken()
  readonly refresh_token!: string;

  @RefreshToken({ optional: true, description: 'Accepted instead of refresh_token' })
  readonly refreshToken?: string;
}
