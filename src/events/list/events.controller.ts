import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { EventsGoneError } from '../log/event-log.errors.js';
import { EventListService } from './event-list.service.js';
import { EventQuery } from './event.query.js';
import { EventView } from './event.view.js';

@ApiTags('admin')
@RequireRole('ADMIN')
@Controller('admin')
export class EventsController {
  constructor(private readonly events: EventListService) {}

  @Get('events')
  @Endpoint({
    id: 'listEvents',
    summary: 'Events of articles and authors, in order',
    description:
      'The events after a number, oldest first. No event ever appears below a number that you have ' +
      'read, so send the last `seq` with the next request. Events are kept for seven days: 410 means ' +
      'that you have missed some. `blog.submitted` and `blog.returned` have only `_id` and `rev`.',
    data: [EventView],
    errors: [EventsGoneError],
  })
  list(@Query() query: EventQuery): Promise<EventView[]> {
    return this.events.list(query);
  }
}
