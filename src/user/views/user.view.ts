import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { ID } from '../../platform/http/openapi/properties.js';
import { effectiveRole, ROLE_CODES } from '../../platform/http/access/role-code.js';
import type { Role } from '../schemas/role.schema.js';
import type { User } from '../schemas/user.schema.js';

export class RoleView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({
    example: 'AUTHOR',
    description: 'As stored: databases of the older server may say WRITER, which counts as AUTHOR.',
  })
  readonly code!: string;
}

/** A user's own account, without the password and internal fields. */
export class UserView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'ada@example.org' })
  readonly email!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  readonly name!: string;

  @ApiProperty({ type: [RoleView] })
  readonly roles!: readonly RoleView[];

  @ApiPropertyOptional({ example: 'https://example.org/ada.png' })
  readonly profilePicUrl?: string;
}

export const USER_VIEW_FIELDS = ['email', 'name', 'roles', 'profilePicUrl'] as const;

type UserSource = Pick<User, '_id' | 'email' | 'name'> & {
  // These may be missing in records of an older server before the migration.
  roles?: readonly Types.ObjectId[] | null;
  profilePicUrl?: string | null;
};

export type RoleSource = Pick<Role, '_id' | 'code'>;

/** @param roles all stored roles; the view lists those of the user, from LEARNER to ADMIN */
export function toUserView(user: UserSource, roles: readonly RoleSource[]): UserView {
  return {
    _id: user._id.toHexString(),
    email: user.email,
    name: user.name,
    roles: rolesOf(user.roles ?? [], roles).map((role) => ({
      _id: role._id.toHexString(),
      code: role.code,
    })),
    ...(user.profilePicUrl ? { profilePicUrl: user.profilePicUrl } : {}),
  };
}

function rolesOf(ids: readonly Types.ObjectId[], roles: readonly RoleSource[]): RoleSource[] {
  const held = roles.filter(({ _id }) => ids.some((id) => id.equals(_id)));
  return held.sort((a, b) => rank(a.code) - rank(b.code));
}

function rank(storedCode: string): number {
  const role = effectiveRole(storedCode);
  return role === null ? ROLE_CODES.length : ROLE_CODES.indexOf(role);
}
