import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { BlogEditorService } from '../editor/blog-editor.service.js';
import { HAS_SCHEDULE, SCHEDULE_INDEX } from '../core/blog.indexes.js';
import { EditorialListService } from '../core/lists/editorial-list.service.js';
import type { EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { editorVersion, type EditorialItemView } from '../core/views/editorial-item.view.js';
import { Clock } from '../../platform/clock.js';
import type { IfMatch } from '../../platform/http/conditional/if-match.js';
import type { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { InvalidBodyError } from '../../platform/http/errors/api.errors.js';
import { type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { ScheduleDto } from './schedule.dto.js';
import { scheduleProblems } from './schedule-times.js';

/** Lets editors say when a blog is to be published and unpublished. */
@Injectable()
export class BlogScheduleService {
  constructor(
    private readonly editors: BlogEditorService,
    private readonly lists: EditorialListService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sets the given times. A time that is not given stays as it is stored. A publication needs a
   * submitted blog; with `unpublishAt` alone the blog must be live.
   *
   * @throws InvalidBodyError neither time is given, one is too early or too late, or their order is wrong
   * @throws what `BlogTransitionService.apply` throws
   */
  async schedule(
    editor: Types.ObjectId,
    id: Types.ObjectId,
    times: ScheduleDto,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    const problems = scheduleProblems(times, this.clock.now());
    if (problems.length > 0) throw new InvalidBodyError(problems);
    const transition = times.publishAt ? 'schedule' : 'scheduleUnpublish';
    return this.editors.apply(transition, editor, id, ifMatch, times);
  }

  /** Clears both times. @throws what `BlogTransitionService.apply` throws */
  async unschedule(
    editor: Types.ObjectId,
    id: Types.ObjectId,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    return this.editors.apply('unschedule', editor, id, ifMatch);
  }

  /** A page of the blogs with a schedule, the next due first. */
  async list(page: PageQuery): Promise<EditorialItemView[]> {
    const items = await this.lists.page(
      {
        filter: HAS_SCHEDULE,
        sort: SCHEDULE_INDEX,
        index: SCHEDULE_INDEX,
        versionOf: editorVersion,
      },
      page,
    );
    // A server of an older version withdraws a blog without clearing its schedule. Such a blog is a
    // draft, and is left out.
    return items.filter(({ submitted, published }) => submitted || published);
  }
}
