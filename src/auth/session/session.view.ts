import { ApiProperty } from '@nestjs/swagger';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import type { Session } from './session.schema.js';

/** One of the caller's sessions. */
export class SessionView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ ...TIME, description: 'Time of the sign-in' })
  readonly createdAt!: Date;

  @ApiProperty({ ...TIME, description: 'Last sign-in or refresh' })
  readonly usedAt!: Date;

  @ApiProperty({
    example: 'Pressroom/1.0 (iPhone)',
    description: 'The user-agent header of the sign-in',
  })
  readonly userAgent!: string;

  @ApiProperty({ example: true, description: 'Whether this request was made in this session' })
  readonly current!: boolean;
}

export const SESSION_VIEW_FIELDS = ['createdAt', 'usedAt', 'userAgent'] as const;

export function toSessionView(
  { _id, createdAt, usedAt, userAgent }: Session,
  current: boolean,
): SessionView {
  return { _id: _id.toHexString(), createdAt, usedAt, userAgent: userAgent ?? '', current };
}
