import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';
import { AUDIT_KINDS, type AuditKind } from './audit-kinds.js';

/** What an act was about, besides its subject: ids, role codes, field names and numbers, never a text of a person. */
export type AuditDetails = Readonly<
  Record<string, string | number | boolean | Types.ObjectId | readonly string[]>
>;

/** An act that admins can look up: who did what to whom, when and from where. */
@Schema({ collection: 'audit', ...STRICT })
export class AuditRecord {
  readonly _id!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly at!: Date;

  @Prop({ type: String, enum: Object.keys(AUDIT_KINDS), required: true })
  readonly kind!: AuditKind;

  /** The user who did it; missing for an operator at the command line, and for the server itself. */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly actor?: Types.ObjectId;

  /** The id of the record that the act was about: an account, an API key, a webhook, an invitation. */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly subject?: Types.ObjectId;

  /** IP prefix of the client: /24 of IPv4, /56 of IPv6; missing for an act without a request. */
  @Prop({ type: String })
  readonly clientPrefix?: string;

  @Prop({ type: SchemaTypes.Mixed })
  readonly details?: AuditDetails;
}

export const AuditSchema = SchemaFactory.createForClass(AuditRecord);
