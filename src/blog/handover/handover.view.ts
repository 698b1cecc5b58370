import { ApiProperty } from '@nestjs/swagger';

/** How many blogs a request has handed over. */
export class HandoverView {
  @ApiProperty({ type: 'integer', example: 12 })
  readonly count!: number;

  @ApiProperty({
    example: false,
    description: 'Whether blogs are left; if so, repeat the request.',
  })
  readonly more!: boolean;
}
