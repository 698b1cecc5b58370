import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** How many items a list has. */
export class ListCountView {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1_000, example: 12 })
  readonly count!: number;

  @ApiPropertyOptional({
    type: Boolean,
    example: true,
    description: 'Present when the list has more than 1,000 items; `count` is 1,000 then.',
  })
  readonly more?: true;
}
