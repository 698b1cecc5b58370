import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';
import { ONE_TIME_TOKENS, type OneTimeTokenKind } from './one-time-token-kinds.js';

/** What a token stands for besides its user, such as a new email address. */
export type TokenData = Readonly<Record<string, string>>;

/** A token that works once, such as that of a link in a mail or the challenge of a passkey. It is kept until it expires, also once it was used. */
@Schema({ collection: 'one_time_tokens', ...STRICT })
export class OneTimeToken {
  /** SHA-256 of the token in base64url. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  @Prop({ type: String, enum: Object.keys(ONE_TIME_TOKENS), required: true })
  readonly kind!: OneTimeTokenKind;

  /** The account, or the record, that it belongs to. */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly owner?: Types.ObjectId;

  @Prop({ type: SchemaTypes.Mixed })
  readonly data?: TokenData;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  @Prop({ type: Date, required: true })
  readonly expiresAt!: Date;

  @Prop({ type: Date })
  readonly usedAt?: Date;
}

export const OneTimeTokenSchema = SchemaFactory.createForClass(OneTimeToken);

// Finds the tokens of an account or record by kind, newest first.
OneTimeTokenSchema.index(
  { owner: 1, kind: 1, createdAt: -1 },
  { partialFilterExpression: { owner: { $exists: true } } },
);
// TTL index by which MongoDB deletes expired tokens. Queries check `expiresAt`, because MongoDB deletes late.
OneTimeTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
