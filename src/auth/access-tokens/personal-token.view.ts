import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { ID, TIME } from '../../platform/http/openapi/properties.js';
import type { PersonalToken } from './personal-token.schema.js';

export class PersonalTokenView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'nightly export', description: 'What the token is for' })
  readonly name!: string;

  @ApiProperty({
    isArray: true,
    enum: ROLE_CODES,
    example: ['AUTHOR'],
    description: 'The roles that the token grants, as far as you have them when it is used',
  })
  readonly roles!: readonly RoleCode[];

  @ApiProperty(TIME)
  readonly createdAt!: Date;

  @ApiProperty(TIME)
  readonly expiresAt!: Date;

  @ApiPropertyOptional(TIME)
  readonly lastUsedAt?: Date;
}

/** The response to creating a token, the only one that contains the token itself. */
export class CreatedTokenView extends PersonalTokenView {
  @ApiProperty({
    pattern: '^prt_[0-9A-Za-z]{49}$',
    example: `prt_4fTq0${'x'.repeat(44)}`,
    description: 'Shown in this response only; keep it',
  })
  readonly token!: string;
}

export const TOKEN_VIEW_FIELDS = ['name', 'roles', 'createdAt', 'expiresAt', 'lastUsedAt'] as const;

export function toPersonalTokenView({
  _id,
  name,
  roles,
  createdAt,
  expiresAt,
  lastUsedAt,
}: PersonalToken): PersonalTokenView {
  return {
    _id: _id.toHexString(),
    name,
    roles,
    createdAt,
    expiresAt,
    ...(lastUsedAt ? { lastUsedAt } : {}),
  };
}
