import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { skipOf, type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { OPERATION_MAX_MS } from '../../platform/database/client-options.js';
import { UserService } from '../../user/user.service.js';
import type { BlogFilter } from '../core/blog.schema.js';
import { EditorialBlogService } from '../core/lists/editorial-blog.service.js';
import { toHistoryItemView, type HistoryItemView } from '../core/views/history-item.view.js';
import {
  historyOf,
  STORED_BLOG_EVENT,
  type BlogEvent,
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
    const blog = await this.editorial.find(filter, ['events']);
    const outbox = (blog.events ?? []).toSorted((one, other) => other.rev - one.rev);
    const items = outbox.slice(skipOf(page), skipOf(page) + page.limit);
    const stored = await this.readStored(blog._id, outbox.at(-1)?.rev ?? Infinity, {
      skip: Math.max(0, skipOf(page) - outbox.length),
      limit: page.limit - items.length,
    });
    const all = [...items, ...stored];
    const names = await this.users.namesOf(all.flatMap(({ by }) => by ?? []));
    return all.map((event) => toHistoryItemView(event, names));
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
