import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID, TIME } from '../../../platform/http/openapi/properties.js';
import { AuditDetailsView, toAuditDetailsView } from '../audit-details.view.js';
import { AUDIT_KIND_NAMES, type AuditKind } from '../audit-kinds.js';
import type { AuditRecord } from '../audit.schema.js';

/** An act in the audit log. */
export class AuditView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ ...TIME, description: 'When it happened; for counted acts, when the first did' })
  readonly at!: Date;

  @ApiProperty({ enum: AUDIT_KIND_NAMES, example: 'user.roles', description: 'What was done' })
  readonly kind!: AuditKind;

  @ApiPropertyOptional({ ...ID, description: 'The user who did it; missing at the command line' })
  readonly actor?: string;

  @ApiPropertyOptional({
    ...ID,
    description: 'The account, API key, webhook or blog that the act was about',
  })
  readonly subject?: string;

  @ApiPropertyOptional({
    example: '203.0.113.0/24',
    description: 'The IP prefix of the client: /24 of IPv4, /56 of IPv6',
  })
  readonly clientPrefix?: string;

  @ApiPropertyOptional({ type: AuditDetailsView, description: 'What else belongs to the act' })
  readonly details?: AuditDetailsView;

  @ApiProperty({ example: true, description: 'Whether a seal covers it, so that a change shows' })
  readonly sealed!: boolean;
}

/** The fields that `toAuditView` reads. */
export const AUDIT_VIEW_FIELDS = [
  'at',
  'kind',
  'actor',
  'subject',
  'clientPrefix',
  'details',
  'seal',
] as const;

export function toAuditView(
  record: Pick<AuditRecord, '_id' | (typeof AUDIT_VIEW_FIELDS)[number]>,
): AuditView {
  const { _id, at, kind, actor, subject, clientPrefix, details, seal } = record;
  return {
    _id: _id.toHexString(),
    at,
    kind,
    ...(actor ? { actor: actor.toHexString() } : {}),
    ...(subject ? { subject: subject.toHexString() } : {}),
    ...(clientPrefix === undefined ? {} : { clientPrefix }),
    ...(details === undefined ? {} : { details: toAuditDetailsView(details) }),
    sealed: seal !== undefined,
  };
}
