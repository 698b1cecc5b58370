import { ApiPropertyOptional } from '@nestjs/swagger';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { DateTime } from '../../../platform/http/validation/date-time/date-time.decorator.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';

const EVENT_ID_MAX = 100;

/** The events to send again: a single one, or all since a time. */
export class ReplayDto {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: EVENT_ID_MAX,
    example: 'evt_66f1a2b3c4d5e6f708192a3b_7',
    description: 'The id of an event in the log',
  })
  @Optional()
  @Check((value) =>
    typeof value === 'string' && value.length >= 1 && value.length <= EVENT_ID_MAX
      ? null
      : 'must be the id of an event',
  )
  readonly event?: string;

  @DateTime({ description: 'All events since then that the webhook wants', nullable: false })
  readonly since?: Date;
}
