import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SettledSchedulesView } from '../blog/schedule/settled-schedules.view.js';
import { TIME } from '../platform/http/openapi/properties.js';
import type { LinksOf } from '../platform/picture/picture-address.js';
import type { User } from '../user/schemas/user.schema.js';
import {
  toUserView,
  USER_VIEW_FIELDS,
  UserView,
  type RoleSource,
} from '../user/views/user.view.js';

export class AdminUserView extends UserView {
  @ApiProperty({ example: true })
  readonly enabled!: boolean;

  @ApiProperty(TIME)
  readonly createdAt!: Date;

  @ApiPropertyOptional({
    type: SettledSchedulesView,
    description: 'What a change has made of the schedules of the user',
  })
  readonly schedules?: SettledSchedulesView;
}

export const ADMIN_USER_FIELDS = [...USER_VIEW_FIELDS, 'status', 'createdAt'] as const;

export function toAdminUserView(
  user: User,
  roles: readonly RoleSource[],
  linksOf: LinksOf,
): AdminUserView {
  return {
    ...toUserView(user, roles, linksOf),
    enabled: user.status !== false,
    createdAt: user.createdAt ?? user._id.getTimestamp(),
  };
}
