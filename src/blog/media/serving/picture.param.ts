import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID } from '../../../platform/http/openapi/properties.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import { PREVIEW_HASH_PATTERN } from '../../previews/preview-token.js';
import type { SignedQuery } from './address-signer.service.js';

const SIGNATURE_PATTERN = /^[A-Za-z0-9_-]{22}$/;

/** The picture and its size in a path. */
export class PictureParam {
  @ApiProperty({ pattern: ID.pattern, example: ID.example })
  // Any other id is that of no picture.
  @Check(() => null)
  readonly id!: string;

  @ApiProperty({
    maxLength: 100,
    example: '640.webp',
    description:
      'The name of the picture, or a width (320, 640, 960, 1280 or 1920) as `webp` or in the format of the picture',
  })
  // Any other name is that of no picture.
  @Check(() => null)
  readonly file!: string;
}

/** What opens a picture that is not public. */
export class PictureQuery implements SignedQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 999_999_999_999,
    example: 1_785_000_000,
    description: 'When the address ends, in seconds since 1970',
  })
  @Optional()
  @Parse((text) => (/^\d{1,12}$/.test(text) ? Number(text) : text))
  @Check((value) => (typeof value === 'number' ? null : 'must be a number of seconds'))
  readonly until?: number;

  @ApiPropertyOptional({
    pattern: PREVIEW_HASH_PATTERN.source,
    example: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
    description: 'The preview with which the address ends',
  })
  @Optional()
  @Check((value) => (PREVIEW_HASH_PATTERN.test(String(value)) ? null : 'must be a preview'))
  readonly preview?: string;

  @ApiPropertyOptional({
    pattern: SIGNATURE_PATTERN.source,
    example: 'Zb2pV0m4J7nX5cQ1rTtLwA',
    description: 'What makes the address good',
  })
  @Optional()
  @Check((value) => (SIGNATURE_PATTERN.test(String(value)) ? null : 'must be a signature'))
  readonly signature?: string;
}
