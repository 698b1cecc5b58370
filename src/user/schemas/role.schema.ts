import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

@Schema({ collection: 'roles', timestamps: true, ...STRICT })
export class Role {
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly code!: string;

  /** False disables the role for all users who have it. */
  @Prop({ type: Boolean, default: true })
  readonly status!: boolean;

  /** Counter that LastAdminService increments, so that two concurrent demotions conflict. */
  @Prop({ type: Number })
  readonly guard?: number;
}

export const RoleSchema = SchemaFactory.createForClass(Role);

// Finds a role by its code: for sign-up, an admin's change of roles, and the seed.
RoleSchema.index({ code: 1 }, { unique: true });
