import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/**
 * When a public list last changed in such a way that an article may have left it. The articles that are left do
 * not tell this time.
 */
@Schema({ collection: 'list_changes', ...STRICT })
export class ListChange {
  /** The cache tag of the list. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  @Prop({ type: Date, required: true })
  readonly at!: Date;
}

export const ListChangeSchema = SchemaFactory.createForClass(ListChange);
