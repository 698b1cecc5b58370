import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { Text } from '../../../platform/http/validation/text.decorator.js';
import { FocusField, type Focus } from '../../../platform/picture/focus.decorator.js';

export const ALT = {
  min: 0,
  max: 1_000,
  example: 'A brass engine with rows of gears',
  description: 'What the picture shows, for those who do not see it',
} as const;
export const CAPTION = {
  min: 1,
  max: 1_000,
  lines: 'many',
  example: 'The engine in 1843',
} as const;
export const CREDIT = { min: 1, max: 300, example: 'Photo: Ada Lovelace' } as const;

/** The form that uploads a picture. */
export class UploadMediaDto {
  /** The digest of the file, which the server puts in its place. */
  @ApiProperty({
    type: String,
    format: 'binary',
    example: '(the bytes of the file)',
    description: 'JPEG, PNG, WebP, AVIF or GIF, of 50 megapixels at most, all frames together',
  })
  @Check((value) => (typeof value === 'string' ? null : 'is missing: send a picture'))
  readonly file!: string;

  @Text({ ...ALT, optional: true })
  readonly alt?: string;

  @Text({ ...CAPTION, optional: true })
  readonly caption?: string;

  @Text({ ...CREDIT, optional: true })
  readonly credit?: string;

  @FocusField()
  readonly focus?: Focus;
}
