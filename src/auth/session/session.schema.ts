import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

/** What a session may have proved besides the password. */
export const SESSION_FACTORS = ['totp', 'recovery', 'passkey', 'provider'] as const;

export type SessionFactor = (typeof SESSION_FACTORS)[number];

/** One sign-in on one device (docs/adr/0004). `_id` is the `sid` of its tokens. */
@Schema({ collection: 'sessions', ...STRICT })
export class Session {
  readonly _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly user!: Types.ObjectId;

  /** The user's epoch at sign-in. The session is valid only while the user still has this epoch. */
  @Prop({ type: Number, required: true })
  readonly epoch!: number;

  /** Counter of the current refresh token. Its predecessor is accepted for 10 more seconds. */
  @Prop({ type: Number, required: true })
  readonly counter!: number;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** Time of the last sign-in or refresh. */
  @Prop({ type: Date, required: true })
  readonly usedAt!: Date;

  /** Time of the last refresh. */
  @Prop({ type: Date })
  readonly rotatedAt?: Date;

  /**
   * End of the session: the earlier of usedAt + idle time and createdAt + maximum age. Queries
   * check it, because the TTL index deletes late.
   */
  @Prop({ type: Date, required: true })
  readonly expiresAt!: Date;

  /** What has been proved besides the password; missing for a session that was opened by a password alone. */
  @Prop({ type: String, enum: SESSION_FACTORS })
  readonly factor?: SessionFactor;

  /** When a passkey or a provider has confirmed that the owner is present. */
  @Prop({ type: Date })
  readonly confirmedAt?: Date;

  @Prop({ type: String })
  readonly userAgent?: string;

  /** IP prefix of the client: /24 of IPv4, /56 of IPv6. */
  @Prop({ type: String })
  readonly addressPrefix?: string;
}

export const SessionSchema = SchemaFactory.createForClass(Session);

// TTL index by which MongoDB deletes expired sessions.
SessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// This index lists a user's sessions, the most recently used first. It also finds the sessions to
// end: all sessions of a user, or those beyond the limit.
SessionSchema.index({ user: 1, usedAt: -1, _id: -1 });
