import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

/**
 * Marks an account as deleted, until none of its requests can still write. The record holds no
 * personal data except the id.
 */
@Schema({ collection: 'deleted_accounts', ...STRICT })
export class DeletedAccount {
  /** The user's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly _id!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly deletedAt!: Date;

  /** The picture of the media library that the profile showed, in hex: a CDN may have it. */
  @Prop({ type: String })
  readonly picture?: string;

  /**
   * Whether the account has live articles or showed a picture, and the event log lacks the event `author.renamed` for its
   * deletion.
   */
  @Prop({ type: Boolean })
  readonly renamePending?: boolean;
}

/** Selects deleted accounts whose event `author.renamed` is not in the event log yet. */
export const IS_RENAME_PENDING = { renamePending: true } as const;

export const DeletedAccountSchema = SchemaFactory.createForClass(DeletedAccount);

// Serves the clean-up of deleted accounts, in the order of deletion.
DeletedAccountSchema.index({ deletedAt: 1 });
// Serves the outbox relay, which reads the accounts whose event is not in the event log yet.
DeletedAccountSchema.index({ renamePending: 1 }, { partialFilterExpression: IS_RENAME_PENDING });
