import { ApiProperty } from '@nestjs/swagger';
import { Types } from 'mongoose';
import { OBJECT_ID_PATTERN } from '../../../platform/http/object-id/object-id.param.js';
import { ID } from '../../../platform/http/openapi/properties.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';

export class AssignDto {
  @ApiProperty({ ...ID, nullable: true, description: 'The editor; null ends the assignment' })
  @Parse((text) => (OBJECT_ID_PATTERN.test(text) ? new Types.ObjectId(text) : text))
  @Check((value) =>
    value === null || value instanceof Types.ObjectId
      ? null
      : 'must be 24 hexadecimal characters, or null',
  )
  readonly editor!: Types.ObjectId | null;
}
