import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { SealedSchema, type SealedText } from '../auth/keys/secret-box.service.js';
import { STRICT } from '../platform/database/strict-schema.js';

/** An API key. It is stored as a hash, or in plain when it was inserted by hand. */
@Schema({ collection: 'api_keys', timestamps: true, ...STRICT })
export class ApiKey {
  readonly _id!: Types.ObjectId;

  /** The key in plain; present only in records that were inserted by hand. */
  @Prop({ type: String })
  readonly key?: string;

  /** SHA-256 of the key in hex. */
  @Prop({ type: String })
  readonly keyHash?: string;

  /** The key itself, sealed; only of the key of the server's own pages. */
  @Prop({ type: SealedSchema })
  readonly sealed?: SealedText;

  /** The first characters of the key itself, for display; present when the key is stored as a hash. */
  @Prop({ type: String })
  readonly prefix?: string;

  @Prop({ type: Number, min: 1, max: 100, default: 1 })
  readonly version?: number;

  @Prop({ type: [String], default: ['GENERAL'] })
  readonly permissions?: readonly string[];

  /**
   * The names of its scopes (key-scope.ts); missing in a key that opens every route. Earlier versions do not check
   * them.
   */
  @Prop({ type: [String], default: undefined })
  readonly scopes?: readonly string[];

  @Prop({ type: [String], default: [] })
  readonly comments?: readonly string[];

  @Prop({ type: Boolean, default: true })
  readonly status!: boolean;

  @Prop({ type: Date })
  readonly expiresAt?: Date;

  @Prop({ type: Date })
  readonly lastUsedAt?: Date;

  /** Hash of the request that created the key, if it had an `Idempotency-Key`. */
  @Prop({ type: String })
  readonly requestHash?: string;

  readonly createdAt?: Date;
  readonly updatedAt?: Date;
}

export const ApiKeySchema = SchemaFactory.createForClass(ApiKey);

// These indexes find a presented key, hashed or plain. They are partial, because a record has either
// `keyHash` or `key`.
ApiKeySchema.index(
  { keyHash: 1 },
  { unique: true, partialFilterExpression: { keyHash: { $gt: '' } } },
);
ApiKeySchema.index({ key: 1 }, { unique: true, partialFilterExpression: { key: { $gt: '' } } });
