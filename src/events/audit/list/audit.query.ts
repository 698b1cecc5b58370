import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { Types } from 'mongoose';
import { ObjectIdText } from '../../../platform/http/object-id/object-id.param.js';
import { CursorField } from '../../../platform/http/pagination/cursor-field.decorator.js';
import type { Cursor } from '../../../platform/http/pagination/cursor.js';
import { WholeNumber } from '../../../platform/http/pagination/page-query.dto.js';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { DateTime } from '../../../platform/http/validation/date-time/date-time.decorator.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import { AUDIT_KIND_NAMES, type AuditKind } from '../audit-kinds.js';

/** The fields of which a request may name one: each has its index. */
export const AUDIT_FILTERS = ['actor', 'subject', 'kind'] as const;

export type AuditFilter = (typeof AUDIT_FILTERS)[number];

const Filter = (): PropertyDecorator =>
  Check((_, dto: Partial<Record<AuditFilter, unknown>>) => {
    const given = AUDIT_FILTERS.filter((name) => dto[name] !== undefined);
    return given.length <= 1
      ? null
      : `must not stand beside another of ${AUDIT_FILTERS.join(', ')}`;
  });

const Id = (description: string): PropertyDecorator =>
  applyDecorators(ObjectIdText({ optional: true, description }), Filter());

/** The query that selects records of the audit log. */
export class AuditQuery {
  @Id('Only what this user did. Not with `subject` or `kind`.')
  readonly actor?: Types.ObjectId;

  @Id('Only acts on this account, API key, webhook or blog. Not with `actor` or `kind`.')
  readonly subject?: Types.ObjectId;

  @ApiPropertyOptional({
    enum: AUDIT_KIND_NAMES,
    example: 'user.roles',
    description: 'Only acts of this kind. Not with `actor` or `subject`.',
  })
  @Optional()
  @IsIn(AUDIT_KIND_NAMES, { message: `kind must be one of ${AUDIT_KIND_NAMES.join(', ')}` })
  @Filter()
  readonly kind?: AuditKind;

  @DateTime({ description: 'Only acts at this time or later', nullable: false })
  readonly from?: Date;

  @DateTime({ description: 'Only acts before this time', nullable: false })
  readonly to?: Date;

  @CursorField({ hasPages: false })
  readonly cursor?: Cursor;

  @WholeNumber(100, 10)
  readonly limit: number = 10;
}
