import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { Check, Parse } from '../../common/validation/check.decorators.js';
import { Optional } from '../../common/validation/text.decorator.js';

interface Spellings {
  readonly refresh_token?: unknown;
  readonly refreshToken?: unknown;
}

function refreshTokenProblem(value: unknown): string | null {
  if (value === undefined || value === null) return 'is missing';
  return typeof value === 'string' ? null : 'must be text';
}

/**
 * Any text, trimmed. A malformed token passes validation and gets 401 like an unknown one, so that
 * the client signs in again. Its length is bounded by the body limit only.
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
    Parse((text) => text.trim()),
    ...(optional ? [Optional()] : []),
    Check(refreshTokenProblem),
  );
}

/** Takes `refresh_token` or `refreshToken`. The first wins when both are there. */
export class RefreshDto {
  // Without @Expose, class-transformer skips @Transform when refresh_token is missing.
  @Expose()
  @Transform(({ obj }: { obj: Spellings }) => obj.refresh_token ?? obj.refreshToken)
  @RefreshToken()
  readonly refresh_token!: string;

  @RefreshToken({ optional: true, description: 'Accepted instead of refresh_token' })
  readonly refreshToken?: string;
}
