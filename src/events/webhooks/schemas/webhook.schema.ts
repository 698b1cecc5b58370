import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import { SealedSchema, type SealedText } from '../../../auth/keys/secret-box.service.js';
import { STRICT } from '../../../platform/database/strict-schema.js';
import type { EventType } from '../../log/event-log.schema.js';

/** A secret that was replaced. Until `until`, calls are signed with it as well as with the new secret. */
export interface FormerSecret {
  readonly secret: SealedText;
  readonly until: Date;
}

const FormerSecretSchema = new MongooseSchema<FormerSecret>(
  { secret: { type: SealedSchema, required: true }, until: { type: Date, required: true } },
  { _id: false, strict: 'throw' },
);

/** A URL that is called when events happen. */
@Schema({ collection: 'webhooks', timestamps: true, ...STRICT })
export class Webhook {
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly url!: string;

  /** The types of events, or `*` for all of them. */
  @Prop({ type: [String], required: true })
  readonly events!: readonly (EventType | '*')[];

  @Prop({ type: Boolean, required: true })
  readonly enabled!: boolean;

  /** Why the server has switched the webhook off; removed when an admin switches it on. */
  @Prop({ type: String })
  readonly disabledReason?: string;

  @Prop({ type: Date })
  readonly disabledAt?: Date;

  @Prop({ type: SealedSchema, required: true })
  readonly secret!: SealedText;

  @Prop({ type: FormerSecretSchema })
  readonly former?: FormerSecret;

  /** The number of the last event of the log for which deliveries are stored. */
  @Prop({ type: Number, required: true })
  readonly seq!: number;

  /** Hash of the request and its `Idempotency-Key`, if it sent one. */
  @Prop({ type: String })
  readonly requestHash?: string;

  readonly createdAt!: Date;
  readonly updatedAt!: Date;
}

export const WebhookSchema = SchemaFactory.createForClass(Webhook);

export const IS_ENABLED = { enabled: true } as const;

WebhookSchema.index({ enabled: 1 });
