import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { ID } from '../../platform/http/openapi/properties.js';
import { effectiveRole, ROLE_CODES } from '../../platform/http/access/role-code.js';
import type { LinksOf } from '../../platform/picture/picture-address.js';
import type { ShownPicture } from '../../platform/picture/shown-picture.js';
import { ShownPictureView, toShownPictureView } from '../../platform/picture/shown-picture.view.js';
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

  @ApiPropertyOptional({ type: ShownPictureView })
  readonly picture?: ShownPictureView;
}

export const USER_VIEW_FIELDS = ['email', 'name', 'roles', 'profilePicUrl', 'picture'] as const;

type UserSource = Pick<User, '_id' | 'email' | 'name'> & {
  // These may be missing in records of an older server before the migration.
  roles?: readonly Types.ObjectId[] | null;
  profilePicUrl?: string | null;
  picture?: ShownPicture | null;
};

export type RoleSource = Pick<Role, '_id' | 'code'>;

/**
 * @param roles all stored roles; the view lists those of the user, from LEARNER to ADMIN
 * @param linksOf gives the picture its public addresses
 */
export function toUserView(
  user: UserSource,
  roles: readonly RoleSource[],
  linksOf: LinksOf,
): UserView {
  return {
    _id: user._id.toHexString(),
    email: user.email,
    name: user.name,
    roles: rolesOf(user.roles ?? [], roles).map((role) => ({
      _id: role._id.toHexString(),
      code: role.code,
    })),
    ...pictureOf(user, linksOf),
  };
}

/** The picture of a user: one of the media library, of which `profilePicUrl` is one size, or one that is elsewhere. */
function pictureOf(
  { profilePicUrl, picture }: Pick<UserSource, 'profilePicUrl' | 'picture'>,
  linksOf: LinksOf,
): Pick<UserView, 'profilePicUrl' | 'picture'> {
  if (!picture) return profilePicUrl ? { profilePicUrl } : {};
  const view = toShownPictureView(picture, linksOf);
  // Without PUBLIC_URL and MEDIA_URL, our addresses are paths.
  return { ...(view.url.startsWith('/') ? {} : { profilePicUrl: view.url }), picture: view };
}

function rolesOf(ids: readonly Types.ObjectId[], roles: readonly RoleSource[]): RoleSource[] {
  const held = roles.filter(({ _id }) => ids.some((id) => id.equals(_id)));
  return held.sort((a, b) => rank(a.code) - rank(b.code));
}

function rank(storedCode: string): number {
  const role = effectiveRole(storedCode);
  return role === null ? ROLE_CODES.length : ROLE_CODES.indexOf(role);
}
