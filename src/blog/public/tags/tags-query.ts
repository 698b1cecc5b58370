import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { tagKey } from '../../core/text/words.js';
import { WholeNumber } from '../../../platform/http/pagination/page-query.dto.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import {
  encodeTagCursor,
  parseTagCursor,
  TAG_CURSOR_LENGTH_MAX,
  type TagCursor,
} from './tag-cursor.js';

const PREFIX_LENGTH_MAX = 200;

const ORDERS = ['count', 'name'] as const;

export class TagsQuery {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: PREFIX_LENGTH_MAX,
    example: 'comp',
    description: 'How the tag begins; case is ignored',
  })
  @Optional()
  // A blank at the end is part of the beginning: `web ` is not the beginning of `webdev`.
  @Parse((text) => tagKey(text) + (/\S\s+$/.test(text) ? ' ' : ''))
  @Check((prefix) =>
    typeof prefix === 'string' && prefix.length >= 1 && prefix.length <= PREFIX_LENGTH_MAX
      ? null
      : `must have 1 to ${PREFIX_LENGTH_MAX} characters`,
  )
  readonly prefix?: string;

  @ApiPropertyOptional({
    enum: ORDERS,
    default: 'count',
    example: 'name',
    description:
      '`name`: by name; `count`: most used first (with `prefix`: among the first 1,000 by name)',
  })
  @Optional()
  @IsIn(ORDERS, { message: `order must be one of ${ORDERS.join(', ')}` })
  readonly order: (typeof ORDERS)[number] = 'count';

  @ApiPropertyOptional({
    type: String,
    pattern: '^[A-Za-z0-9_-]+$',
    maxLength: TAG_CURSOR_LENGTH_MAX,
    example: encodeTagCursor({ count: 12, key: 'computing' }),
    description: 'From the `Link` header of the previous page',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? parseTagCursor(value) : value === undefined ? undefined : null,
  )
  @Check((cursor) => (cursor === null ? 'must be taken from the Link header of a list' : null))
  readonly cursor?: TagCursor;

  @WholeNumber(100, 10)
  readonly limit: number = 10;
}
