import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

/** The person at the provider to whom an account belongs. */
@Schema({ collection: 'provider_links', ...STRICT })
export class ProviderLink {
  readonly _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly user!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly issuer!: string;

  /** What the provider calls the person, which never changes (`sub`). */
  @Prop({ type: String, required: true })
  readonly subject!: string;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** Time of the last sign-in. */
  @Prop({ type: Date, required: true })
  readonly lastUsedAt!: Date;
}

export const ProviderLinkSchema = SchemaFactory.createForClass(ProviderLink);

// Finds the account at a sign-in. A person has one account, also if two sign-ins make one at the same time.
ProviderLinkSchema.index({ issuer: 1, subject: 1 }, { unique: true });
// Finds the links to remove with an account.
ProviderLinkSchema.index({ user: 1, createdAt: 1 });
