import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  readonly at: Date;
  readonly durationMs: number;
  /** The HTTP status; missing when there was no answer. */
  readonly status?: number;
  /** The first characters of the answer's body. */
  readonly answer?: string;
  /** Why there was no answer, or why the answer is no success. */
  readonly error?: string;
}

const AttemptSchema = new MongooseSchema<DeliveryAttempt>(
  {
    at: { type: Date, required: true },
    durationMs: { type: Number, required: true },
    status: { type: Number },
    answer: { type: String },
    error: { type: String },
  },
  { _id: false, strict: 'throw' },
);

/** An event for one webhook. It is sent until the receiver has it, or for three days. */
@Schema({ collection: 'webhook_deliveries', ...STRICT })
export class Delivery {
  readonly _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly webhook!: Types.ObjectId;

  /** The id of the event. */
  @Prop({ type: String, required: true })
  readonly event!: string;

  @Prop({ type: String, required: true })
  readonly type!: string;

  /** The body of each call, as JSON. */
  @Prop({ type: String, required: true })
  readonly body!: string;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** The time of the first attempt, from which the three days count. */
  @Prop({ type: Date })
  readonly firstAt?: Date;

  @Prop({ type: Number, required: true })
  readonly attempts!: number;

  @Prop({ type: AttemptSchema })
  readonly last?: DeliveryAttempt;

  /** When the event is sent next; missing once it was delivered or given up. */
  @Prop({ type: Date })
  readonly nextAt?: Date;

  @Prop({ type: Date })
  readonly deliveredAt?: Date;
}

export const DeliverySchema = SchemaFactory.createForClass(Delivery);

/** Selects the deliveries that are to be sent. */
export const IS_PENDING = { nextAt: { $gt: new Date(0) } };

export const DUE_INDEX = { webhook: 1, nextAt: 1 } as const;
export const LOG_INDEX = { webhook: 1, createdAt: -1, _id: -1 } as const;

/** Time for which a delivery is kept: seven days. */
const KEPT_SECONDS = 604_800;

// A webhook has at most one delivery of an event. A replay sends that delivery again.
DeliverySchema.index({ webhook: 1, event: 1 }, { unique: true });
DeliverySchema.index(DUE_INDEX, { partialFilterExpression: IS_PENDING });
DeliverySchema.index(LOG_INDEX);
DeliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
