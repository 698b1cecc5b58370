import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type HydratedDocument, type Types } from 'mongoose';

/**
 * Records that an account was deleted, until none of its requests can still write. It holds no personal
 * data except the id.
 */
@Schema({
  collection: 'deleted_accounts',
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class DeletedAccount {
  /** The user's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly _id!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly deletedAt!: Date;
}

export type DeletedAccountDocument = HydratedDocument<DeletedAccount>;
export const DeletedAccountSchema = SchemaFactory.createForClass(DeletedAccount);

// The sweep of deleted accounts, in order of deletion.
DeletedAccountSchema.index({ deletedAt: 1 });
