import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { STRICT } from '../platform/database/strict-schema.js';

@Schema({ collection: 'messages', timestamps: true, ...STRICT })
export class Message {
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly type!: string;

  @Prop({ type: String, required: true })
  readonly msg!: string;

  @Prop({ type: Boolean, default: true })
  readonly status?: boolean;

  /** Hash of the request and its `Idempotency-Key`, if it sent one. */
  @Prop({ type: String })
  readonly requestHash?: string;

  readonly createdAt?: Date;
  readonly updatedAt?: Date;
}

export const MessageSchema = SchemaFactory.createForClass(Message);

// Serves an admin's list, newest first.
MessageSchema.index({ createdAt: -1, _id: -1 });
