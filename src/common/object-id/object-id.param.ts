import { ApiProperty } from '@nestjs/swagger';
import { Types } from 'mongoose';
import { EXAMPLE_ID } from '../openapi/properties.js';
import { Check, Parse } from '../validation/check.decorators.js';

export const OBJECT_ID_PATTERN = /^[0-9a-fA-F]{24}$/;

/** `{id}` in a path: 24 hexadecimal characters; anything else gets 400. */
export class ObjectIdParam {
  @ApiProperty({
    type: String,
    pattern: OBJECT_ID_PATTERN.source,
    example: EXAMPLE_ID,
  })
  @Parse((text) => (OBJECT_ID_PATTERN.test(text) ? new Types.ObjectId(text) : text))
  @Check((value) => (value instanceof Types.ObjectId ? null : 'must be 24 hexadecimal characters'))
  readonly id!: Types.ObjectId;
}
