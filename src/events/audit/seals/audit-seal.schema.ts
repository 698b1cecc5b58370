import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/** The MAC of a text, and the id of the signing key that its key is derived from. */
export interface Signature {
  readonly kid: string;
  readonly mac: string;
}

/** Says that the server itself has removed the records up to a seal, because AUDIT_KEEP was over. */
export interface Expiry extends Signature {
  readonly at: Date;
}

const ExpirySchema = new MongooseSchema<Expiry>(
  {
    at: { type: Date, required: true },
    kid: { type: String, required: true },
    mac: { type: String, required: true },
  },
  { _id: false, strict: 'throw' },
);

/**
 * The seal of a batch of audit records. Its MAC covers the records and the MAC of the seal before it, so the seals are a
 * chain: nothing in it can be changed, removed or added without the signing key.
 */
@Schema({ collection: 'audit_seals', ...STRICT })
export class AuditSeal implements Signature {
  /** Number of the seal. The numbers begin with 1 and have no gaps. */
  @Prop({ type: Number, required: true })
  readonly _id!: number;

  /** MAC of the seal before this one; '' for the first. */
  @Prop({ type: String, default: '' })
  readonly previous!: string;

  /** Ids of the records, at most 1,000; missing once they have expired. */
  @Prop({ type: [SchemaTypes.ObjectId], default: undefined })
  readonly records?: readonly Types.ObjectId[];

  /** SHA-256 of the records. */
  @Prop({ type: String, required: true })
  readonly digest!: string;

  @Prop({ type: Date, required: true })
  readonly sealedAt!: Date;

  @Prop({ type: String, required: true })
  readonly kid!: string;

  @Prop({ type: String, required: true })
  readonly mac!: string;

  /** In the seal up to which all records have expired, with which the chain now begins. */
  @Prop({ type: ExpirySchema })
  readonly expiry?: Expiry;
}

export const AuditSealSchema = SchemaFactory.createForClass(AuditSeal);

// Finds the newest seal that has expired.
AuditSealSchema.index({ sealedAt: -1, _id: -1 });
