import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { HydratedDocument, Types } from 'mongoose';

@Schema({
  collection: 'roles',
  timestamps: true,
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class Role {
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly code!: string;

  /** False switches the role off for everyone who holds it. */
  @Prop({ type: Boolean, default: true })
  readonly status!: boolean;

  /** Counted up before the last-admin check, so that two demotions at once conflict. */
  @Prop({ type: Number })
  readonly guard?: number;
}

export type RoleDocument = HydratedDocument<Role>;
export const RoleSchema = SchemaFactory.createForClass(Role);

// Role ids by code: sign-up, the admin's role changes, the seed.
RoleSchema.index({ code: 1 }, { unique: true });
