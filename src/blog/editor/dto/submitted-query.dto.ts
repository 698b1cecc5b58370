import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Types } from 'mongoose';
import { OBJECT_ID_PATTERN } from '../../../platform/http/object-id/object-id.param.js';
import { PageQuery } from '../../../platform/http/pagination/page-query.dto.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';

const ORDERS = ['latest', 'oldest'] as const;

export class SubmittedQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    pattern: `^(me|none|[0-9a-fA-F]{24})$`,
    example: 'me',
    description: 'Only blogs assigned to the caller (`me`), no one (`none`), or this id',
  })
  @Parse((text) => (OBJECT_ID_PATTERN.test(text) ? new Types.ObjectId(text) : text))
  @Optional()
  @Check((value) =>
    value === 'me' || value === 'none' || value instanceof Types.ObjectId
      ? null
      : 'must be me, none, or 24 hexadecimal characters',
  )
  readonly assigned?: 'me' | 'none' | Types.ObjectId;

  @ApiPropertyOptional({
    enum: ORDERS,
    default: 'latest',
    example: 'oldest',
    description: '`latest`: last changed first; `oldest`: longest waiting first',
  })
  @Optional()
  @IsIn(ORDERS, { message: `order must be one of ${ORDERS.join(', ')}` })
  readonly order: (typeof ORDERS)[number] = 'latest';
}
