import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type HydratedDocument, type Types } from 'mongoose';

/**
 * Says that an account was deleted, until nothing of it can be on its way any more. It holds the id and
 * nothing else of the person.
 */
@Schema({
  collection: 'deleted_accounts',
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class DeletedAccount {
  /** Of the user. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly _id!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly deletedAt!: Date;
}

export type DeletedAccountDocument = HydratedDocument<DeletedAccount>;
export const DeletedAccountSchema = SchemaFactory.createForClass(DeletedAccount);

// All of them, the oldest first.
DeletedAccountSchema.index({ deletedAt: 1 });
