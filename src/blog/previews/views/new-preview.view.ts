import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../../platform/http/openapi/properties.js';
import { PREVIEW_TOKEN_EXAMPLE, PREVIEW_TOKEN_PATTERN } from '../preview-token.js';

/** A new preview, for the user who made it. */
export class NewPreviewView {
  @ApiProperty({
    pattern: PREVIEW_TOKEN_PATTERN.source,
    example: PREVIEW_TOKEN_EXAMPLE,
    description: 'For GET /blog/preview/{token}; shown only once',
  })
  readonly token!: string;

  @ApiProperty(TIME)
  readonly expiresAt!: Date;
}
