import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { HydratedDocument, Types } from 'mongoose';

/** A key of a client application: stored hashed, or plain when inserted by hand. */
@Schema({
  collection: 'api_keys',
  timestamps: true,
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class ApiKey {
  readonly _id!: Types.ObjectId;

  @Prop({ type: String })
  readonly key?: string;

  /** SHA-256 in hex. */
  @Prop({ type: String })
  readonly keyHash?: string;

  /** The first characters of a hashed key, for display. */
  @Prop({ type: String })
  readonly prefix?: string;

  @Prop({ type: Number, min: 1, max: 100, default: 1 })
  readonly version?: number;

  @Prop({ type: [String], default: ['GENERAL'] })
  readonly permissions?: readonly string[];

  @Prop({ type: [String], default: [] })
  readonly comments?: readonly string[];

  @Prop({ type: Boolean, default: true })
  readonly status!: boolean;

  @Prop({ type: Date })
  readonly expiresAt?: Date;

  @Prop({ type: Date })
  readonly lastUsedAt?: Date;

  readonly createdAt?: Date;
  readonly updatedAt?: Date;
}

export type ApiKeyDocument = HydratedDocument<ApiKey>;
export const ApiKeySchema = SchemaFactory.createForClass(ApiKey);

// The guard's look-up, hashed and plain; partial, because a key has one of the two.
ApiKeySchema.index(
  { keyHash: 1 },
  { unique: true, partialFilterExpression: { keyHash: { $gt: '' } } },
);
ApiKeySchema.index({ key: 1 }, { unique: true, partialFilterExpression: { key: { $gt: '' } } });
