import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { STRICT } from '../../platform/database/strict-schema.js';

/** A token by which a program acts for a user, without a session. */
@Schema({ collection: 'access_tokens', ...STRICT })
export class PersonalToken {
  readonly _id!: Types.ObjectId;

  /** The owner. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly user!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly name!: string;

  /** SHA-256 of the token in hex. */
  @Prop({ type: String, required: true })
  readonly tokenHash!: string;

  /** The roles that the token grants, as far as the owner has them when it is used. */
  @Prop({ type: [String], enum: ROLE_CODES, required: true })
  readonly roles!: readonly RoleCode[];

  /** The factor of the session that has made the token. */
  @Prop({ type: String })
  readonly factor?: string;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** End of the token. Queries check it, because the TTL index deletes late. */
  @Prop({ type: Date, required: true })
  readonly expiresAt!: Date;

  @Prop({ type: Date })
  readonly lastUsedAt?: Date;

  /** Hash of the request that created the token, if it had an `Idempotency-Key`. */
  @Prop({ type: String })
  readonly requestHash?: string;
}

export const PersonalTokenSchema = SchemaFactory.createForClass(PersonalToken);

// TTL index by which MongoDB deletes expired tokens.
PersonalTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// Finds a presented token.
PersonalTokenSchema.index({ tokenHash: 1 }, { unique: true });
// Lists and counts the tokens of a user, newest first, and finds those to remove with the account.
PersonalTokenSchema.index({ user: 1, createdAt: -1, _id: -1 });
