import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { SealedSchema, type SealedText } from '../../../auth/keys/secret-box.service.js';
import { STRICT } from '../../../platform/database/strict-schema.js';
import { MAIL_KIND_NAMES, type MailKind } from '../mail-kinds.js';

/**
 * - `waiting`: it is to be sent.
 * - `sent`: the SMTP server has accepted it.
 * - `given up`: the SMTP server has refused it for good, or was out of reach for two days.
 * - `expired`: its link was no longer valid, so it was not sent.
 */
export const MAIL_STATES = ['waiting', 'sent', 'given up', 'expired'] as const;

export type MailState = (typeof MAIL_STATES)[number];

/** A mail in the outbox. Its contents are sealed, and are erased once it was sent or given up. */
@Schema({ collection: 'mails', ...STRICT })
export class Mail {
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, enum: MAIL_KIND_NAMES, required: true })
  readonly kind!: MailKind;

  @Prop({ type: String, enum: MAIL_STATES, required: true })
  readonly state!: MailState;

  /** The account that it is for; missing while it is not known whether there is one. */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly user?: Types.ObjectId;

  /** The sealed MailContents as JSON. */
  @Prop({ type: SealedSchema })
  readonly contents?: SealedText;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** When the link of the mail ends, after which the mail is useless. */
  @Prop({ type: Date })
  readonly linkExpiresAt?: Date;

  @Prop({ type: Number, required: true })
  readonly attempts!: number;

  @Prop({ type: Date })
  readonly firstAt?: Date;

  /** When it is sent next; missing unless it waits. */
  @Prop({ type: Date })
  readonly nextAt?: Date;

  @Prop({ type: Date })
  readonly sentAt?: Date;

  /** Why the last attempt failed: codes of the SMTP client and server, without their texts. */
  @Prop({ type: String })
  readonly error?: string;
}

export const MailSchema = SchemaFactory.createForClass(Mail);

/** Selects the mails that are to be sent. */
const IS_WAITING = { nextAt: { $gt: new Date(0) } };

export const DUE_INDEX = { nextAt: 1 } as const;

/** Time for which a mail is kept, after which nothing shows that it was sent: seven days. */
const KEPT_SECONDS = 604_800;

MailSchema.index(DUE_INDEX, { partialFilterExpression: IS_WAITING });
// These two indexes serve an admin's list, newest first.
MailSchema.index({ createdAt: -1, _id: -1 });
MailSchema.index({ state: 1, createdAt: -1, _id: -1 });
// Finds the mails of an account that is deleted, or whose keys are changed.
MailSchema.index({ user: 1 }, { partialFilterExpression: { user: { $exists: true } } });
// TTL index by which MongoDB deletes mails.
MailSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
