import type { PipelineStage } from 'mongoose';
import { effectiveRole, type RoleCode } from '../../platform/http/access/role-code.js';
import type { User } from '../../user/schemas/user.schema.js';

/** The account of a session or a personal access token, as ACCOUNT_LOOKUP reads it. */
export interface WithAccount {
  /** The account as a list of one; empty when it was deleted. */
  readonly users: readonly Pick<User, '_id' | 'status' | 'epoch' | 'isUnverified'>[];
  readonly roles: readonly { readonly code: string }[];
}

/** Adds the account whose id is the field `user`, and the enabled roles of the account. */
export const ACCOUNT_LOOKUP: readonly PipelineStage[] = [
  {
    $lookup: {
      from: 'users',
      localField: 'user',
      foreignField: '_id',
      pipeline: [{ $project: { status: 1, epoch: 1, roles: 1, isUnverified: 1 } }],
      as: 'users',
    },
  },
  {
    $lookup: {
      from: 'roles',
      localField: 'users.roles',
      foreignField: '_id',
      pipeline: [{ $match: { status: { $ne: false } } }, { $project: { code: 1 } }],
      as: 'roles',
    },
  },
];

interface EnabledAccount {
  readonly epoch: number;
  readonly roles: readonly RoleCode[];
  readonly isUnverified: boolean;
}

/** @returns null when the account was deleted or is disabled */
export function enabledAccountOf({ users: [account], roles }: WithAccount): EnabledAccount | null {
  if (!account || account.status === false) return null;
  return {
    epoch: account.epoch ?? 0,
    isUnverified: account.isUnverified === true,
    roles: roles.map(({ code }) => effectiveRole(code)).filter((role) => role !== null),
  };
}
