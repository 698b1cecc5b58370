import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../../platform/http/openapi/properties.js';

/** A tag of live blogs. */
export class TagView {
  @ApiProperty({
    example: 'computing',
    description: 'As the blog that was published last spells it',
  })
  readonly tag!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    example: 12,
    description: 'How many live blogs have it',
  })
  readonly count!: number;

  @ApiProperty({ ...TIME, description: 'First publication of its newest blog' })
  readonly publishedAt!: Date;
}
