import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../database/strict-schema.js';

/**
 * Records that an account was deleted, until no request of it can still write. It holds no data of
 * the person except the id.
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

// All of them, the first deleted first.
DeletedAccountSchema.index({ deletedAt: 1 });
