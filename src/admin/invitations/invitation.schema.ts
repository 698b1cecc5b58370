import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { STRICT } from '../../platform/database/strict-schema.js';

/** An invitation by mail to work at the site with some roles. */
@Schema({ collection: 'invitations', ...STRICT })
export class Invitation {
  readonly _id!: Types.ObjectId;

  /** The address, trimmed and lower-cased. */
  @Prop({ type: String, required: true })
  readonly email!: string;

  /** The name for the new account, if the admin knows it. */
  @Prop({ type: String })
  readonly name?: string;

  @Prop({ type: [String], enum: ROLE_CODES, required: true })
  readonly roles!: readonly RoleCode[];

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly invitedBy!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** When the mail was last sent. */
  @Prop({ type: Date, required: true })
  readonly sentAt!: Date;

  @Prop({ type: Date, required: true })
  readonly expiresAt!: Date;

  /** True until it is accepted, also after it has expired. */
  @Prop({ type: Boolean })
  readonly isOpen?: true;

  @Prop({ type: Date })
  readonly acceptedAt?: Date;

  /** Hash of the request and its `Idempotency-Key`, if it sent one. */
  @Prop({ type: String })
  readonly requestHash?: string;
}

export const InvitationSchema = SchemaFactory.createForClass(Invitation);

/** Seconds for which an invitation is kept after it has expired: 30 days. */
const KEPT_SECONDS = 2_592_000;

// An address has at most one open invitation.
InvitationSchema.index({ email: 1 }, { unique: true, partialFilterExpression: { isOpen: true } });
// Serves an admin's list, newest first.
InvitationSchema.index({ createdAt: -1, _id: -1 });
// Finds the invitations to the address of an account that is deleted.
InvitationSchema.index({ email: 1, createdAt: 1 });
// Finds the invitations of an account that is deleted.
InvitationSchema.index({ invitedBy: 1 });
// TTL index by which MongoDB deletes invitations.
InvitationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
