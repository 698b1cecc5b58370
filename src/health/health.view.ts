import { ApiProperty } from '@nestjs/swagger';

export class HealthView {
  @ApiProperty({
    type: String,
    format: 'date-time',
    pattern: '\\.\\d{9}Z$',
    description: 'With nine decimals of a second',
    example: '2026-01-31T08:15:30.123000000Z',
  })
  readonly timestamp!: string;

  @ApiProperty({ pattern: '^OK$', example: 'OK' })
  readonly status!: 'OK';
}

/** The clock gives milliseconds, so the last six of the nine digits are zero. */
export function toHealthView(now: Date): HealthView {
  return { timestamp: now.toISOString().replace('Z', '000000Z'), status: 'OK' };
}
