import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID, TIME } from '../../../platform/http/openapi/properties.js';
import type { Delivery, DeliveryAttempt } from '../schemas/delivery.schema.js';

const STATES = ['waiting', 'delivered', 'given up'] as const;

/** One call of a webhook, with its outcome. */
export class AttemptView {
  @ApiProperty(TIME)
  readonly at!: Date;

  @ApiProperty({ type: 'integer', example: 42 })
  readonly durationMs!: number;

  @ApiPropertyOptional({
    type: 'integer',
    example: 204,
    description: 'Missing if there was no answer',
  })
  readonly status?: number;

  @ApiPropertyOptional({ example: 'ok', description: 'The first 1,000 characters of the answer' })
  readonly answer?: string;

  @ApiPropertyOptional({
    example: 'status 500',
    description: 'Missing if the receiver has the event',
  })
  readonly error?: string;
}

/** The delivery of an event to a webhook. */
export class DeliveryView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({
    example: 'evt_66f1a2b3c4d5e6f708192a3b_7',
    description: 'The `webhook-id` of its calls',
  })
  readonly event!: string;

  @ApiProperty({ example: 'blog.published' })
  readonly type!: string;

  @ApiProperty({ enum: STATES, example: 'delivered' })
  readonly state!: (typeof STATES)[number];

  @ApiProperty({ type: 'integer', example: 1, description: 'Number of calls so far' })
  readonly attempts!: number;

  @ApiPropertyOptional({ type: AttemptView, description: 'The latest call' })
  readonly last?: AttemptView;

  @ApiProperty({ ...TIME, description: 'When it was stored, or last replayed' })
  readonly createdAt!: Date;

  @ApiPropertyOptional({ ...TIME, description: 'Time of the next call' })
  readonly nextAt?: Date;
}

/** The number of deliveries that a replay has made due. */
export class ReplayView {
  @ApiProperty({ type: 'integer', example: 3 })
  readonly deliveries!: number;
}

export function toAttemptView(attempt: DeliveryAttempt): AttemptView {
  const { at, durationMs, status, answer, error } = attempt;
  return {
    at,
    durationMs,
    ...(status === undefined ? {} : { status }),
    ...(answer === undefined ? {} : { answer }),
    ...(error === undefined ? {} : { error }),
  };
}

export function toDeliveryView(delivery: Delivery): DeliveryView {
  const { _id, event, type, attempts, last, createdAt, nextAt, deliveredAt } = delivery;
  return {
    _id: _id.toHexString(),
    event,
    type,
    state: deliveredAt ? 'delivered' : nextAt ? 'waiting' : 'given up',
    attempts,
    ...(last ? { last: toAttemptView(last) } : {}),
    createdAt,
    ...(nextAt ? { nextAt } : {}),
  };
}
