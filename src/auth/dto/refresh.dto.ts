import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { Check, Parse } from '../../platform/http/validation/check.decorators.js';
import { Optional } from '../../platform/http/validation/text.decorator.js';

interface Spellings {
  readonly refresh_token?: unknown;
  readonly refreshToken?: unknown;
}

function refreshTokenProblem(value: unknown): string | null {
  if (value === undefined || value === null) return 'is missing';
  return typeof value === 'string' ? null : 'must be text';
}

/**
 * Declares a refresh token: any text, trimmed. A malformed token passes validation and gets 401
 * like an unknown one, so that the client signs in again. Its length is bounded by the body limit
 * only.
 */
function RefreshToken(): PropertyDecorator {
  return applyDecorators(
    Parse((text) => text.trim()),
    Check(refreshTokenProblem),
  );
}

/**
 * The body of a refresh. It takes `refresh_token` or `refreshToken`; `refresh_token` wins when both
 * are present. The API description shows only `refresh_token`: with two optional fields, generated
 * clients would accept a body that has neither.
 */
export class RefreshDto {
  // Without @Expose, class-transformer skips @Transform when refresh_token is missing.
  @Expose()
  @Transform(({ obj }: { obj: Spellings }) => obj.refresh_token ?? obj.refreshToken)
  @ApiProperty({
    type: String,
    description: 'The refresh token of the session; `refreshToken` is accepted as well',
    example: 'v1.q3X…',
  })
  @RefreshToken()
  readonly refresh_token!: string;

  @ApiHideProperty()
  @Optional()
  @RefreshToken()
  readonly refreshToken?: string;
}
