import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

/** A former email address, which its account can take back until `until`, and which no other account gets meanwhile. */
@Schema({ collection: 'reserved_addresses', ...STRICT })
export class ReservedAddress {
  /** The address, trimmed and lower-cased. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly user!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly until!: Date;
}

export const ReservedAddressSchema = SchemaFactory.createForClass(ReservedAddress);

// TTL index by which MongoDB deletes reservations. Queries check `until`, because MongoDB deletes late.
ReservedAddressSchema.index({ until: 1 }, { expireAfterSeconds: 0 });
// Finds the reservations of an account that is deleted.
ReservedAddressSchema.index({ user: 1 });
