import { ApiPropertyOptional } from '@nestjs/swagger';
import { WholeNumber } from '../../platform/http/pagination/page-query.dto.js';
import { Check, Parse } from '../../platform/http/validation/check.decorators.js';
import { Optional } from '../../platform/http/validation/text.decorator.js';

/** The query that selects events of the log. */
export class EventQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    example: 41,
    description:
      'The `seq` of the last event that you have read; without it, the list begins with the oldest event',
  })
  @Optional()
  @Parse((text) => (/^\d{1,16}$/.test(text) ? Number(text) : text))
  @Check((value) => (Number.isSafeInteger(value) ? null : 'must be the seq of an event'))
  readonly after?: number;

  @WholeNumber(100, 10)
  readonly limit: number = 10;
}
