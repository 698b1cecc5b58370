import { ApiProperty } from '@nestjs/swagger';
import { OBJECT_ID_PATTERN } from '../../platform/http/object-id/object-id.param.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/properties.js';
import { Check, Parse } from '../../platform/http/validation/check.decorators.js';
import { FocusField, type Focus } from '../../platform/picture/focus.decorator.js';

/** Chooses the picture of a profile. */
export class ProfilePictureDto {
  @ApiProperty({
    type: String,
    pattern: OBJECT_ID_PATTERN.source,
    nullable: true,
    example: EXAMPLE_ID,
    description: 'A picture of your library',
  })
  @Parse((text) => text.toLowerCase())
  @Check((value) =>
    value === null || (typeof value === 'string' && OBJECT_ID_PATTERN.test(value))
      ? null
      : 'must be 24 hexadecimal characters, or null',
  )
  readonly media!: string | null;

  /** Left out, it stays as it is, or is that of the library. */
  @FocusField({ nullable: true })
  readonly focus?: Focus | null;
}
