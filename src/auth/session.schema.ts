import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type HydratedDocument, type Types } from 'mongoose';

/** One sign-in on one device (docs/adr/0004). `_id` is the `sid` of its tokens. */
@Schema({
  collection: 'sessions',
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class Session {
  readonly _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly user!: Types.ObjectId;

  /** The user's epoch when the password was checked; the session counts only while equal. */
  @Prop({ type: Number, required: true })
  readonly epoch!: number;

  /** Counter of the refresh token that is good now; the one before is good for a short grace. */
  @Prop({ type: Number, required: true })
  readonly counter!: number;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** Last sign-in or refresh. */
  @Prop({ type: Date, required: true })
  readonly usedAt!: Date;

  @Prop({ type: Date })
  readonly rotatedAt?: Date;

  /** min(now + idle, createdAt + max); in every filter, because the TTL monitor deletes late. */
  @Prop({ type: Date, required: true })
  readonly expiresAt!: Date;

  @Prop({ type: String })
  readonly userAgent?: string;

  /** Network part of the address: /24 or /56. */
  @Prop({ type: String })
  readonly addressPrefix?: string;
}

export type SessionDocument = HydratedDocument<Session>;
export const SessionSchema = SchemaFactory.createForClass(Session);

// Housekeeping: expired sessions go.
SessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// A user's sessions: listing them and finding the surplus, the last used first; ending them all.
SessionSchema.index({ user: 1, usedAt: -1, _id: -1 });
