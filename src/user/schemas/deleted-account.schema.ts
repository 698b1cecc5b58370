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

  /**
   * Whether the account has live articles and the event log does not hold yet that their author has
   * changed.
   */
  @Prop({ type: Boolean })
  readonly renamePending?: boolean;
}

/** Deleted accounts whose articles the event log has not been told of yet. */
export const IS_RENAME_PENDING = { renamePending: true } as const;

export const DeletedAccountSchema = SchemaFactory.createForClass(DeletedAccount);

// Serves the clean-up of deleted accounts, in the order of deletion.
DeletedAccountSchema.index({ deletedAt: 1 });
// Serves the outbox relay, which reads the accounts that the event log has not been told of.
DeletedAccountSchema.index({ renamePending: 1 }, { partialFilterExpression: IS_RENAME_PENDING });
