import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';
import {
  NOTICE_KIND_NAMES,
  NOTICE_WAYS,
  type NoticeWays,
} from '../../events/notices/notice-kinds.js';
import { STRICT } from '../../platform/database/strict-schema.js';
import type { ShownPicture } from '../../platform/picture/shown-picture.js';
import { PROFILE_PICTURE_INDEX, ProfilePictureSchema } from './profile-picture.schema.js';
import { IS_RENAMED, RENAMED_INDEX, RenamingSchema, type Renaming } from './renaming.schema.js';

const NoticeWaysSchema = new MongooseSchema<NoticeWays>(
  Object.fromEntries(
    NOTICE_KIND_NAMES.map((kind) => [
      kind,
      { type: [{ type: String, enum: NOTICE_WAYS }], default: undefined },
    ]),
  ),
  { _id: false, strict: 'throw' },
);

@Schema({ collection: 'users', timestamps: true, ...STRICT })
export class User {
  readonly _id!: Types.ObjectId;

  /** The email address, trimmed and lower-cased. */
  @Prop({ type: String, required: true })
  readonly email!: string;

  /**
   * bcrypt hash of the password. Accounts of an older server may have another cost. Imported
   * accounts have none: nobody can sign in until a password is set.
   */
  @Prop({ type: String })
  readonly password?: string;

  @Prop({ type: String, required: true })
  readonly name!: string;

  @Prop({ type: String })
  readonly profilePicUrl?: string;

  /** The picture of the person, if it is one of the media library. */
  @Prop({ type: ProfilePictureSchema })
  readonly picture?: ShownPicture;

  @Prop({ type: [SchemaTypes.ObjectId], required: true })
  readonly roles!: readonly Types.ObjectId[];

  /** Unused; kept for databases of an older server, which has never set it. */
  @Prop({ type: Boolean, default: false })
  readonly verified?: boolean;

  /** True from a sign-up with EMAIL_VERIFICATION=on until the address is confirmed; all other accounts count as verified. */
  @Prop({ type: Boolean })
  readonly isUnverified?: boolean;

  /** False when an admin has disabled the account. */
  @Prop({ type: Boolean, default: true })
  readonly status!: boolean;

  /** Incremented to end all sessions: a session is valid only while its own epoch equals this. */
  @Prop({ type: Number, default: 0 })
  readonly epoch?: number;

  /** The latest change of name or picture, until the outbox relay has added it to the event log. */
  @Prop({ type: RenamingSchema })
  readonly renamed?: Renaming;

  /** By which ways the user hears of the kinds of notices for which the user has chosen. */
  @Prop({ type: NoticeWaysSchema })
  readonly noticeWays?: NoticeWays;

  readonly createdAt!: Date;
  readonly updatedAt!: Date;
}

export const UserSchema = SchemaFactory.createForClass(User);

// Finds the account at a sign-in. It is unique: one account per email address.
UserSchema.index({ email: 1 }, { unique: true });
// Serves an admin's list by role, newest first, and the check for the last admin.
UserSchema.index({ roles: 1, createdAt: -1, _id: -1 });
// Serves an admin's list of all users, newest first.
UserSchema.index({ createdAt: -1, _id: -1 });
// Finds the profile that shows a picture.
UserSchema.index(PROFILE_PICTURE_INDEX, {
  partialFilterExpression: { 'picture.media': { $exists: true } },
});
// Serves the outbox relay, which reads changes of users that are not in the event log yet.
UserSchema.index(RENAMED_INDEX, { partialFilterExpression: IS_RENAMED });
