import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';
import { SealedSchema, type SealedText } from '../keys/secret-box.service.js';

/** `recovery` is the list of recovery codes, which an account has besides its first factor. */
export const FACTOR_KINDS = ['totp', 'passkey', 'recovery'] as const;

export type FactorKind = (typeof FACTOR_KINDS)[number];

/** A second factor of an account: an app that shows codes (RFC 6238), or a passkey (WebAuthn). */
@Schema({ collection: 'factors', ...STRICT })
export class Factor {
  readonly _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly user!: Types.ObjectId;

  @Prop({ type: String, enum: FACTOR_KINDS, required: true })
  readonly kind!: FactorKind;

  /** The name that its owner has given it. */
  @Prop({ type: String })
  readonly name?: string;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  @Prop({ type: Date })
  readonly lastUsedAt?: Date;

  /** True until its first code has proved that the app has the secret. */
  @Prop({ type: Boolean })
  readonly isPending?: true;

  /** The secret of an app, in base32. */
  @Prop({ type: SealedSchema })
  readonly secret?: SealedText;

  /** The time step of the last code that was used, so that each code works once. */
  @Prop({ type: Number })
  readonly lastStep?: number;

  /** The id of a passkey, in base64url. */
  @Prop({ type: String })
  readonly credentialId?: string;

  /** The public key of a passkey: COSE in base64url. */
  @Prop({ type: String })
  readonly publicKey?: string;

  /** The signature counter of a passkey; always 0 if the passkey has none. */
  @Prop({ type: Number })
  readonly counter?: number;

  /** SHA-256 of the recovery codes that are left. */
  @Prop({ type: [String], default: undefined })
  readonly codes?: readonly string[];
}

export const FactorSchema = SchemaFactory.createForClass(Factor);

// Finds the factors of an account.
FactorSchema.index({ user: 1, kind: 1 });
// Finds a passkey at a sign-in without a password.
FactorSchema.index(
  { credentialId: 1 },
  { unique: true, partialFilterExpression: { credentialId: { $gt: '' } } },
);
// An account has one list of recovery codes, and one app.
FactorSchema.index(
  { user: 1 },
  { unique: true, partialFilterExpression: { kind: 'recovery' }, name: 'one_recovery' },
);
