import { ApiPropertyOptional } from '@nestjs/swagger';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';

const MAX = 100;

/** The body of a request that marks notices as read. */
export class ReadNoticesDto {
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    minItems: 1,
    maxItems: MAX,
    example: [41, 42],
    description: 'The `seq` of each; all of yours when left out',
  })
  @Optional()
  @Check((value) =>
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= MAX &&
    value.every((seq) => Number.isSafeInteger(seq) && Number(seq) > 0)
      ? null
      : `must be a list of 1 to ${MAX} numbers of notices`,
  )
  readonly seqs?: readonly number[];
}
