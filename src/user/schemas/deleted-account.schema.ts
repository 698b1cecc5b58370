import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

/**
 * Records that an account was deleted, until none of its requests can still write. It holds no personal
 * data except the id.
 */
@Schema({ collection: 'deleted_accounts', ...STRICT })
export class DeletedAccount {
  /** The user's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly _id!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly deletedAt!: Date;

  /** Of an account with live articles: true until the event log holds that their author has changed. */
  @Prop({ type: Boolean })
  readonly renamePending?: boolean;
}

/** Accounts of whose articles the event log is to be told. */
export const IS_RENAME_PENDING = { renamePending: true } as const;

export const DeletedAccountSchema = SchemaFactory.createForClass(DeletedAccount);

// The clean-up of deleted accounts, in order of deletion.
DeletedAccountSchema.index({ deletedAt: 1 });
// For the outbox relay.
DeletedAccountSchema.index({ renamePending: 1 }, { partialFilterExpression: IS_RENAME_PENDING });
