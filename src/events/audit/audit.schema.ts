import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import type { IndexKeys } from '../../platform/database/query-hints.js';
import { STRICT } from '../../platform/database/strict-schema.js';
import type { AuditDetailsView } from './audit-details.view.js';
import { AUDIT_KIND_NAMES, type AuditKind } from './audit-kinds.js';

/**
 * An act that admins can look up: who did what to whom, when and from where. Once it is sealed, nothing of the record
 * changes any more.
 */
@Schema({ collection: 'audit', ...STRICT })
export class AuditRecord {
  readonly _id!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly at!: Date;

  @Prop({ type: String, enum: AUDIT_KIND_NAMES, required: true })
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
  readonly details?: AuditDetailsView;

  /** When the record is complete and may be sealed: at once, but for records that count. */
  @Prop({ type: Date, required: true })
  readonly sealableAt!: Date;

  /** Number of the seal that covers the record; missing until then. */
  @Prop({ type: Number })
  readonly seal?: number;
}

export const AuditSchema = SchemaFactory.createForClass(AuditRecord);

/** The indexes of the list of all acts, and of those with one filter, newest first. */
export const AUDIT_INDEXES = {
  all: { at: -1, _id: -1 },
  actor: { actor: 1, at: -1, _id: -1 },
  subject: { subject: 1, at: -1, _id: -1 },
  kind: { kind: 1, at: -1, _id: -1 },
} as const satisfies Readonly<Record<string, IndexKeys>>;

for (const keys of Object.values(AUDIT_INDEXES)) AuditSchema.index(keys);
// The records that wait for a seal, and those that claim to have one.
AuditSchema.index({ seal: 1, sealableAt: 1 });
