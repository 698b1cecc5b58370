import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { Types } from 'mongoose';
import { EXAMPLE_ID } from '../openapi/properties.js';

export const OBJECT_ID_PATTERN = /^[0-9a-fA-F]{24}$/;

/** `{id}` in a path: 24 hexadecimal characters; anything else is 400. */
export class ObjectIdParam {
  @ApiProperty({
    type: String,
    pattern: OBJECT_ID_PATTERN.source,
    example: EXAMPLE_ID,
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && OBJECT_ID_PATTERN.test(value) ? new Types.ObjectId(value) : value,
  )
  @ValidateBy({
    name: 'objectId',
    validator: {
      validate: (value) => value instanceof Types.ObjectId,
      defaultMessage: () => 'id must be 24 hexadecimal characters',
    },
  })
  readonly id!: Types.ObjectId;
}
