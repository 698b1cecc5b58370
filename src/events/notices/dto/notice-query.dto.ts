import { ApiPropertyOptional } from '@nestjs/swagger';
import { WholeNumber } from '../../../platform/http/pagination/page-query.dto.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';

/** The query that selects notices. */
export class NoticeQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    example: 'true',
    description: 'With `true` only unread notices, with their number as `x-total-count`, up to 100',
  })
  @Optional()
  @Check((value) => (value === 'true' || value === 'false' ? null : 'must be true or false'))
  readonly unread?: 'true' | 'false';

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    example: 41,
    description: 'Only notices before this `seq`; the `Link` to the next page has it',
  })
  @Optional()
  @Parse((text) => (/^\d{1,16}$/.test(text) ? Number(text) : text))
  @Check((value) =>
    Number.isSafeInteger(value) && Number(value) > 0 ? null : 'must be the seq of a notice',
  )
  readonly cursor?: number;

  @WholeNumber(100, 10)
  readonly limit: number = 10;
}
