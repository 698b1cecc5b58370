import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { HTTP_ADDRESS, ID } from '../../common/openapi/properties.js';

/** The fields that every view of a blog shares. */
export class BlogFields {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'Notes on the Analytical Engine' })
  readonly title!: string;

  @ApiProperty({ example: 'What the engine can do, and what it cannot.' })
  readonly description!: string;

  @ApiProperty({ example: 'notes-on-the-analytical-engine' })
  readonly slug!: string;

  @ApiPropertyOptional({ ...HTTP_ADDRESS, example: 'https://example.org/engine.png' })
  readonly imgUrl?: string;

  @ApiProperty({ example: 0.01, description: 'Set by the server, never by a client.' })
  readonly score!: number;

  @ApiProperty({ type: [String], example: ['history', 'computing'] })
  readonly tags!: readonly string[];
}
