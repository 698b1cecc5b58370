import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { skipOf, type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { OPERATION_MAX_MS } from '../../platform/database/client-options.js';
import { UserService } from '../../user/user.service.js';
import { IS_KNOWN_TO_EDITORS, type Blog, type BlogFilter } from '../core/blog.schema.js';
import { BLOG_STATES } from '../core/blog.state.js';
import { EditorialBlogService } from '../core/lists/editorial-blog.service.js';
import { toHistoryItemView, type HistoryItemView } from '../core/views/history-item.view.js';
import {
  historyOf,
  STORED_BLOG_EVENT,
  type BlogEvent,
  type RecordState,
  type StoredBlogEvent,
} from './blog-event.schema.js';

/** Reads the history of a blog. */
@Injectable()
export class BlogHistoryService {
  constructor(
    @InjectModel(STORED_BLOG_EVENT) private readonly events: Model<StoredBlogEvent>,
    private readonly editorial: EditorialBlogService,
    private readonly users: UserService,
  ) {}

  /**
   * A page of a blog's events, newest first: those in the blog's document, then those that the
   * outbox relay has carried to `blog_events`.
   *
   * No event is missed or repeated, even if the outbox relay runs meanwhile. The relay removes an
   * event from the document only after it has stored the event in `blog_events`, so the document is
   * read first. The relay removes the oldest events first, so only events that are older than all
   * events in the document are read from `blog_events`.
   *
   * @param filter matches the blog by its id, if the caller may see it
   * @throws BlogNotFoundError when no blog matches
   */
  async read(filter: BlogFilter, page: PageQuery): Promise<HistoryItemView[]> {
    return this.page(await this.editorial.find(filter, ['events']), page);
  }

  /**
   * The part of the history that editors may read, as `read` returns it: all of it while they see the blog, else
   * the events up to the one after which they saw it no more, such as the unpublication.
   *
   * @throws BlogNotFoundError when the blog is unknown, or was never submitted
   */
  async readAsEditor(id: Types.ObjectId, page: PageQuery): Promise<HistoryItemView[]> {
    const filter = { _id: id, ...IS_KNOWN_TO_EDITORS };
    const blog = await this.editorial.find(filter, ['events', 'submitted', 'published']);
    if (blog.submitted || blog.published) return this.page(blog, page);
    const lastRev = await this.lastSeenByEditors(blog);
    const events = (blog.events ?? []).filter(({ rev }) => rev <= lastRev);
    return this.page({ _id: id, events }, page, lastRev + 1);
  }

  /** @param beforeRev only events with a lower revision number */
  private async page(
    blog: Pick<Blog, '_id' | 'events'>,
    page: PageQuery,
    beforeRev = Infinity,
  ): Promise<HistoryItemView[]> {
    const outbox = (blog.events ?? []).toSorted((one, other) => other.rev - one.rev);
    const items = outbox.slice(skipOf(page), skipOf(page) + page.limit);
    const stored = await this.readStored(blog._id, outbox.at(-1)?.rev ?? beforeRev, {
      skip: Math.max(0, skipOf(page) - outbox.length),
      limit: page.limit - items.length,
    });
    const all = [...items, ...stored];
    const names = await this.users.namesOf(all.flatMap(({ by }) => by ?? []));
    return all.map((event) => toHistoryItemView(event, names));
  }

  /**
   * The revision number after the last event before which editors saw the blog; -1 if none is stored. What
   * follows is the author's alone.
   */
  private async lastSeenByEditors({
    _id,
    events = [],
  }: Pick<Blog, '_id' | 'events'>): Promise<number> {
    const inOutbox = events.findLast(({ from }) => wasShownToEditors(from));
    if (inOutbox) return inOutbox.rev;
    const stored = this.events.collection
      .find<Pick<StoredBlogEvent, '_id' | 'from'>>(historyOf(_id) as never, {
        projection: { from: 1 },
        maxTimeMS: OPERATION_MAX_MS,
        readPreference: 'primary',
      })
      .sort({ _id: -1 });
    for await (const event of stored) if (wasShownToEditors(event.from)) return event._id.rev;
    return -1;
  }

  /** Whether `blog_events` holds the first event of a blog. The blog itself may have been removed. */
  async hasFirstEvent(blog: Types.ObjectId): Promise<boolean> {
    const filter = { _id: { blog, rev: 1 } };
    return (await this.events.findOne(filter, { _id: 1 }, BY_ID).read('primary').lean()) !== null;
  }

  private async readStored(
    blog: Types.ObjectId,
    beforeRev: number,
    { skip, limit }: { readonly skip: number; readonly limit: number },
  ): Promise<BlogEvent[]> {
    // MongoDB reads a limit of 0 as no limit.
    if (limit === 0) return [];
    const events = await this.events.collection
      .find<StoredBlogEvent>(historyOf(blog, beforeRev) as never, {
        maxTimeMS: OPERATION_MAX_MS,
        readPreference: 'primary',
      })
      .sort({ _id: -1 })
      .skip(skip)
      .limit(limit)
      .toArray();
    return events.map(({ _id: { rev }, ...event }) => ({ ...event, rev }));
  }
}

function wasShownToEditors(state: RecordState | null): boolean {
  if (state === null || state === 'deleted') return false;
  return BLOG_STATES[state].submitted || BLOG_STATES[state].published;
}
