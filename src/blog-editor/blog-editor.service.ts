import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BlogMoveService } from '../blog/blog-move.service.js';
import { BlogNotFoundError } from '../blog/blog.errors.js';
import type { BlogFlags, MoveName } from '../blog/blog.state.js';
import { BlogHistoryService } from '../blog/events/blog-history.service.js';
import { HtmlCleaner } from '../blog/html/html-cleaner.js';
import { Blog } from '../blog/blog.schema.js';
import { toEditorialBlogView, type EditorialBlogView } from '../blog/views/editorial-blog.view.js';
import {
  EDITORIAL_ITEM_FIELDS,
  editorVersion,
  toEditorialItemView,
  type EditorialItemView,
} from '../blog/views/editorial-item.view.js';
import type { HistoryItemView } from '../blog/views/history-item.view.js';
import type { IfMatch } from '../common/http/conditional/if-match.js';
import { Revisioned } from '../common/http/conditional/revisioned.js';
import { skipOf, type PageQuery } from '../common/pagination/page-query.dto.js';
import { BY_ID } from '../database/query-hints.js';
import { UserService } from '../user/user.service.js';

/** The operations of editors: read submitted and live blogs, publish and unpublish them. */
@Injectable()
export class BlogEditorService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly moves: BlogMoveService,
    private readonly users: UserService,
    private readonly html: HtmlCleaner,
    private readonly histories: BlogHistoryService,
  ) {}

  /** @throws BlogNotFoundError also for a blog in the state draft */
  async get(id: Types.ObjectId): Promise<Revisioned<EditorialBlogView>> {
    const blog = await this.blogs.findOne(visibleBlog(id), null, BY_ID).lean<Blog | null>();
    if (!blog) throw new BlogNotFoundError();
    return this.revisioned(blog);
  }

  /**
   * A page of the events of a blog, newest first. It lists edits that were not submitted, without
   * their contents.
   *
   * @throws BlogNotFoundError also for a blog in the state draft
   */
  async history(id: Types.ObjectId, page: PageQuery): Promise<HistoryItemView[]> {
    return this.histories.read(visibleBlog(id), page);
  }

  /** @throws what `BlogMoveService.move` throws */
  async move(
    name: Extract<MoveName, 'publish' | 'unpublish'>,
    editor: Types.ObjectId,
    id: Types.ObjectId,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    return this.revisioned(await this.moves.move(name, { id, actor: editor, ifMatch }));
  }

  /** A page of the blogs of all authors that have this flag, the last changed first. */
  async list(
    flag: Extract<keyof BlogFlags, 'submitted' | 'published'>,
    page: PageQuery,
  ): Promise<EditorialItemView[]> {
    const blogs = await this.blogs
      .find({ [flag]: true })
      .sort({ updatedAt: -1, _id: -1 })
      .skip(skipOf(page))
      .limit(page.limit)
      .select(EDITORIAL_ITEM_FIELDS)
      .lean<Blog[]>();
    const names = await this.users.namesOf(blogs.map(({ author }) => author));
    return blogs.map((blog) => toEditorialItemView(blog, editorVersion(blog), names));
  }

  private async revisioned(blog: Blog): Promise<Revisioned<EditorialBlogView>> {
    const names = await this.users.namesOf([blog.author]);
    const texts = await this.html.servedTexts(blog);
    const shown = blog.submitted ? texts : { ...texts, draftText: texts.text };
    return new Revisioned(toEditorialBlogView(blog, editorVersion(blog), shown, names), blog.rev);
  }
}

/** The filter for a blog that editors may read: submitted or live. */
function visibleBlog(_id: Types.ObjectId) {
  return { _id, status: true, $or: [{ submitted: true }, { published: true }] };
}
