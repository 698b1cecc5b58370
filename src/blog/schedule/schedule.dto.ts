import { DateTime } from '../../platform/http/validation/date-time/date-time.decorator.js';

/** The body of a request that schedules a blog. A time that is left out stays as it is. */
export class ScheduleDto {
  @DateTime({
    description: 'When to publish what is in review; 1 minute to 2 years ahead',
    nullable: false,
  })
  readonly publishAt?: Date;

  @DateTime({
    description: 'When to unpublish the blog; 1 minute to 2 years ahead, and later than publishAt',
    nullable: false,
  })
  readonly unpublishAt?: Date;
}
