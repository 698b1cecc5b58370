import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The fields that every view of a blog shares. */
export class BlogFields {
  @ApiProperty({ example: '66f1a2b3c4d5e6f708192a3b' })
  readonly _id!: string;

  @ApiProperty({ example: 'Notes on the Analytical Engine' })
  readonly title!: string;

  @ApiProperty({ example: 'What the engine can do, and what it cannot.' })
  readonly description!: string;

  @ApiProperty({ example: 'notes-on-the-analytical-engine' })
  readonly slug!: string;

  @ApiPropertyOptional({ example: 'https://example.org/engine.png' })
  readonly imgUrl?: string;

  @ApiProperty({ example: 0.01, description: 'Set by the server, never by a client.' })
  readonly score!: number;

  @ApiProperty({ type: [String], example: ['history', 'computing'] })
  readonly tags!: readonly string[];
}
