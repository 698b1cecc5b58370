import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  BlogNotFoundError,
  IllegalTransitionError,
  OtherEditorNeededError,
  ScheduleOrderError,
} from '../core/blog.errors.js';
import { EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { EditorialItemView } from '../core/views/editorial-item.view.js';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { IfMatchHeader, type IfMatch } from '../../platform/http/conditional/if-match.js';
import type { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { BlogScheduleService } from './blog-schedule.service.js';
import { ScheduleDto } from './schedule.dto.js';

type BlogResponse = Promise<Revisioned<EditorialBlogView>>;

@ApiTags('editor')
@RequireRole('EDITOR')
@Controller('blog/editor')
export class BlogScheduleController {
  constructor(private readonly schedules: BlogScheduleService) {}

  @Put('schedule/id/:id')
  @Endpoint({
    id: 'scheduleBlog',
    summary: 'Schedule a blog to be published, unpublished, or both',
    description:
      '`publishAt` needs a blog in review, and is cleared when the submitted revision changes. ' +
      '`unpublishAt` alone needs a live blog. A time that is left out stays as it is.',
    message: 'blog scheduled successfully',
    data: EditorialBlogView,
    revision: true,
    errors: [BlogNotFoundError, IllegalTransitionError, OtherEditorNeededError, ScheduleOrderError],
  })
  schedule(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() times: ScheduleDto,
    @IfMatchHeader() ifMatch: IfMatch,
  ): BlogResponse {
    return this.schedules.schedule(userId, id, times, ifMatch);
  }

  @Put('unschedule/id/:id')
  @Endpoint({
    id: 'unscheduleBlog',
    summary: 'Clear both times of a schedule',
    message: 'blog unscheduled successfully',
    data: EditorialBlogView,
    revision: true,
    errors: [BlogNotFoundError, IllegalTransitionError],
  })
  unschedule(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): BlogResponse {
    return this.schedules.unschedule(userId, id, ifMatch);
  }

  @Get('scheduled')
  @Endpoint({
    id: 'listScheduledBlogs',
    summary: 'Blogs with a schedule, the next due first',
    data: [EditorialItemView],
  })
  list(@Query() page: PageQuery): Promise<EditorialItemView[]> {
    return this.schedules.list(page);
  }
}
