import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { PREVIEW_TOKEN_EXAMPLE, PREVIEW_TOKEN_PATTERN } from '../preview-token.js';

/**
 * The `{token}` in a path. Any text passes: a text that is no token gets the same 404 as an unknown
 * token.
 */
export class PreviewTokenParam {
  @ApiProperty({
    type: String,
    pattern: PREVIEW_TOKEN_PATTERN.source,
    example: PREVIEW_TOKEN_EXAMPLE,
  })
  @ValidateBy({ name: 'text', validator: { validate: (value) => typeof value === 'string' } })
  readonly token!: string;
}
