import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { PREVIEW_TOKEN_EXAMPLE, PREVIEW_TOKEN_PATTERN } from '../preview-token.js';

/** `{token}` in a path. Any text passes: what is no token gets the 404 of an unknown one. */
export class PreviewTokenParam {
  @ApiProperty({
    type: String,
    pattern: PREVIEW_TOKEN_PATTERN.source,
    example: PREVIEW_TOKEN_EXAMPLE,
  })
  @ValidateBy({ name: 'text', validator: { validate: (value) => typeof value === 'string' } })
  readonly token!: string;
}
