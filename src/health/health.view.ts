import { ApiProperty } from '@nestjs/swagger';

/** That the process answers, and its clock. */
export class HealthView {
  @ApiProperty({
    type: String,
    format: 'date-time',
    pattern: '\\.\\d{9}Z$',
    description: 'Nine digits of seconds',
    example: '2026-01-31T08:15:30.123000000Z',
  })
  readonly timestamp!: string;

  @ApiProperty({ enum: ['OK'], example: 'OK' })
  readonly status!: 'OK';
}

/** The clock tells milliseconds; the rest of the nine digits is zero. */
export function toHealthView(now: Date): HealthView {
  return { timestamp: now.toISOString().replace('Z', '000000Z'), status: 'OK' };
}
