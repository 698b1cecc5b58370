import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type HydratedDocument, type Types } from 'mongoose';

@Schema({
  collection: 'users',
  timestamps: true,
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class User {
  readonly _id!: Types.ObjectId;

  /** Trimmed and lower-cased. */
  @Prop({ type: String, required: true })
  readonly email!: string;

  /** bcrypt hash; accounts of the older server may carry any cost. */
  @Prop({ type: String, required: true })
  readonly password!: string;

  @Prop({ type: String, required: true })
  readonly name!: string;

  @Prop({ type: String })
  readonly profilePicUrl?: string;

  @Prop({ type: [SchemaTypes.ObjectId], required: true })
  readonly roles!: readonly Types.ObjectId[];

  /** Kept for databases of the older server; decides nothing. */
  @Prop({ type: Boolean, default: false })
  readonly verified?: boolean;

  /** False: disabled by an admin. */
  @Prop({ type: Boolean, default: true })
  readonly status!: boolean;

  /** Sessions carry the epoch of their sign-in and count only while it is this one. */
  @Prop({ type: Number, default: 0 })
  readonly epoch?: number;

  readonly createdAt!: Date;
  readonly updatedAt!: Date;
}

export type UserDocument = HydratedDocument<User>;
export const UserSchema = SchemaFactory.createForClass(User);

// Sign-in; one account per address.
UserSchema.index({ email: 1 }, { unique: true });
// Admin's list by role and the last-admin count, newest first.
UserSchema.index({ roles: 1, createdAt: -1, _id: -1 });
// Admin's list of everyone, newest first.
UserSchema.index({ createdAt: -1, _id: -1 });
