import { ApiProperty } from '@nestjs/swagger';
import type { Heading } from '../html/toc.js';

/** A line of the table of contents. */
export class HeadingView implements Heading {
  @ApiProperty({ example: 'h-the-analytical-engine', description: 'Link to it: `#` and this id' })
  readonly id!: string;

  @ApiProperty({ example: 2, minimum: 1, maximum: 6, type: 'integer' })
  readonly level!: number;

  @ApiProperty({ example: 'The Analytical Engine', description: 'Plain text, not HTML' })
  readonly text!: string;
}
