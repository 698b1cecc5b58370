import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/** A device and network from which an account has signed in. */
@Schema({ collection: 'known_devices', ...STRICT })
export class KnownDevice {
  /** SHA-256 of the account, the device's name and the network in base64url. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly user!: Types.ObjectId;

  /** Time of the first sign-in. */
  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;
}

export const KnownDeviceSchema = SchemaFactory.createForClass(KnownDevice);

// Tells whether an account has signed in before, and finds what an account's deletion removes.
KnownDeviceSchema.index({ user: 1 });
// TTL index: a device is told again when its first sign-in is 400 days ago.
KnownDeviceSchema.index({ createdAt: 1 }, { expireAfterSeconds: 400 * 24 * 60 * 60 });
