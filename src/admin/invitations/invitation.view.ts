import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import type { Invitation } from './invitation.schema.js';

const STATES = ['open', 'expired', 'accepted'] as const;

export class InvitationView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'ada@example.org', description: 'The address that was invited' })
  readonly email!: string;

  @ApiPropertyOptional({ example: 'Ada Lovelace', description: 'The name for the new account' })
  readonly name?: string;

  @ApiProperty({ isArray: true, enum: ROLE_CODES, example: ['AUTHOR'] })
  readonly roles!: readonly RoleCode[];

  @ApiProperty({ enum: STATES, example: 'open', description: 'Whether it can be accepted' })
  readonly state!: (typeof STATES)[number];

  @ApiProperty({ ...ID, description: 'The admin who has sent it' })
  readonly invitedBy!: string;

  @ApiProperty(TIME)
  readonly createdAt!: Date;

  @ApiProperty({ ...TIME, description: 'When the mail was last sent' })
  readonly sentAt!: Date;

  @ApiProperty({ ...TIME, description: 'Until when it can be accepted' })
  readonly expiresAt!: Date;

  @ApiPropertyOptional({ ...TIME, description: 'When it was accepted' })
  readonly acceptedAt?: Date;
}

export function toInvitationView(invitation: Invitation, now: Date): InvitationView {
  const { _id, email, name, roles, invitedBy, createdAt, sentAt, expiresAt, acceptedAt } =
    invitation;
  return {
    _id: _id.toHexString(),
    email,
    ...(name === undefined ? {} : { name }),
    roles,
    state: stateOf(invitation, now),
    invitedBy: invitedBy.toHexString(),
    createdAt,
    sentAt,
    expiresAt,
    ...(acceptedAt ? { acceptedAt } : {}),
  };
}

function stateOf({ isOpen, expiresAt }: Invitation, now: Date): InvitationView['state'] {
  if (!isOpen) return 'accepted';
  return expiresAt > now ? 'open' : 'expired';
}
