import { ApiProperty } from '@nestjs/swagger';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import { deviceNameOf } from './devices/device-name.js';
import { SESSION_FACTORS, type Session, type SessionFactor } from './session.schema.js';

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

  @ApiProperty({
    example: 'Safari on iOS',
    description: 'The program and system that the user-agent header names, without versions',
  })
  readonly device!: string;

  @ApiProperty({
    example: '203.0.113.0/24',
    description: 'Network of the sign-in: /24 of IPv4, /56 of IPv6',
  })
  readonly network!: string;

  @ApiProperty({
    enum: SESSION_FACTORS,
    example: 'totp',
    required: false,
    description: 'What was proved besides the password; missing after a sign-in by password alone',
  })
  readonly factor?: SessionFactor;

  @ApiProperty({ example: true, description: 'Whether this request was made in this session' })
  readonly current!: boolean;
}

export const SESSION_VIEW_FIELDS = [
  'createdAt',
  'usedAt',
  'userAgent',
  'addressPrefix',
  'factor',
] as const;

export function toSessionView(
  { _id, createdAt, usedAt, userAgent = '', addressPrefix = '', factor }: Session,
  current: boolean,
): SessionView {
  return {
    _id: _id.toHexString(),
    createdAt,
    usedAt,
    userAgent,
    device: deviceNameOf(userAgent),
    network: addressPrefix,
    ...(factor ? { factor } : {}),
    current,
  };
}
