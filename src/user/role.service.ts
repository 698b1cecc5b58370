import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { effectiveRole, type RoleCode } from '../common/access/role-code.js';
import { Role } from './schemas/role.schema.js';
import type { RoleSource } from './views/user.view.js';

/** The role documents: four of them, read with each use until they are served from memory. */
@Injectable()
export class RoleService {
  constructor(@InjectModel(Role.name) private readonly roles: Model<Role>) {}

  async findAll(): Promise<RoleSource[]> {
    return this.roles
      .find({ status: { $ne: false } })
      .select(['code'])
      .lean<RoleSource[]>();
  }

  /** @throws Error when the database was never seeded or migrated: a defect of the deployment */
  async idsOf(codes: readonly RoleCode[]): Promise<Types.ObjectId[]> {
    const stored = await this.findAll();
    return codes.map((code) => idIn(stored, code));
  }

  /** @throws Error as idsOf */
  async idOf(code: RoleCode): Promise<Types.ObjectId> {
    return idIn(await this.findAll(), code);
  }
}

function idIn(stored: readonly RoleSource[], code: RoleCode): Types.ObjectId {
  const role = stored.find((candidate) => effectiveRole(candidate.code) === code);
  if (!role) throw new Error(`role ${code} is missing: run "npm run migrate"`);
  return role._id;
}
