import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../database/strict-schema.js';

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
}

export const DeletedAccountSchema = SchemaFactory.createForClass(DeletedAccount);

// The clean-up of deleted accounts, in order of deletion.
DeletedAccountSchema.index({ deletedAt: 1 });
