import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import { ACCOUNT_JOB_KINDS, type AccountJob } from './account-job.schema.js';

const STATES = ['waiting', 'running', 'done'] as const;

/** How far a job is. */
export class JobView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ enum: ACCOUNT_JOB_KINDS, example: 'handOver' })
  readonly kind!: string;

  @ApiProperty({ enum: STATES, example: 'running' })
  readonly state!: (typeof STATES)[number];

  @ApiProperty({ type: 'integer', example: 12, description: 'Number of blogs that are done' })
  readonly count!: number;

  @ApiPropertyOptional({ ...TIME, description: 'When the work began; absent while it waits' })
  readonly startedAt?: Date;

  @ApiPropertyOptional({ ...TIME, description: 'When the work ended; absent until then' })
  readonly finishedAt?: Date;
}

export function toJobView({ _id, kind, count, startedAt, finishedAt }: AccountJob): JobView {
  return {
    _id: _id.toHexString(),
    kind,
    state: finishedAt ? 'done' : startedAt ? 'running' : 'waiting',
    count,
    ...(startedAt ? { startedAt } : {}),
    ...(finishedAt ? { finishedAt } : {}),
  };
}
