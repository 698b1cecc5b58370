import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Check, Parse } from '../../platform/http/validation/check.decorators.js';

/** Longest text that is looked up as a token, in characters. */
const MAX_LENGTH = 200;

function problemOf(value: unknown): string | null {
  if (value === undefined || value === null) return 'is missing';
  if (typeof value !== 'string') return 'must be text';
  return value.length > MAX_LENGTH ? `must be at most ${MAX_LENGTH} characters` : null;
}

/** Declares a token of a link. A malformed one passes validation, and gets the answer of an unknown one. */
export const LinkToken = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: String,
      maxLength: MAX_LENGTH,
      example: '3mQ9v0cXw2R7kF1tYb5nLz8sJd4hGp6uEaIoWqTxMvA',
      description: 'The token of the link, as it stands in its fragment',
    }),
    Parse((text) => text.trim()),
    Check(problemOf),
  );

export class LinkTokenDto {
  @LinkToken()
  readonly token!: string;
}
