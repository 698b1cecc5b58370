import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { BY_ID } from '../../../platform/database/query-hints.js';
import type { Caller } from '../../../platform/http/access/current-user.decorator.js';
import { EnabledAccounts } from '../../../user/enabled-accounts.service.js';
import { AccountJobs } from '../../jobs/account-jobs.service.js';
import { Blog, IS_KNOWN_TO_EDITORS } from '../blog.schema.js';

/** A user, and the roles by which the user reads. */
export type BlogReader = Pick<Caller, 'userId' | 'roles'>;

const FIELDS = [
  'author',
  'authorLeft',
  'assignedTo',
  'submitted',
  'published',
  'title',
  'slug',
  'live.title',
  'live.slug',
];

/** A blog, with what decides who may read it at the desk. */
export type DeskBlog = Pick<Blog, '_id' | 'author' | 'assignedTo'> & {
  /** The version that each kind of reader sees; null if they see none, but may read and write comments. */
  readonly versions: Readonly<Partial<Record<'AUTHOR' | 'EDITOR', BlogName | null>>>;
};

/** What a blog is called in the version that somebody may read. */
export type BlogName = Pick<Blog, 'title' | 'slug'>;

/** Knows of many blogs at a time who may read them at the desk: their authors and the editors. */
@Injectable()
export class BlogReaders {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly jobs: AccountJobs,
    private readonly accounts: EnabledAccounts,
  ) {}

  /** The blogs that anybody may read at the desk, by id. Reads from the primary. */
  async find(ids: readonly Types.ObjectId[]): Promise<ReadonlyMap<string, DeskBlog>> {
    if (ids.length === 0) return new Map();
    const _id = { $in: ids };
    const known = { _id, ...IS_KNOWN_TO_EDITORS } as QueryFilter<Blog>;
    const [blogs, toEditors, leaving] = await Promise.all([
      this.blogs
        .find({ _id, status: true }, null, BY_ID)
        .select(FIELDS)
        .read('primary')
        .lean<Blog[]>(),
      this.blogs.find(known, null, BY_ID).select(['_id']).read('primary').lean<Blog[]>(),
      this.jobs.leaving(),
    ]);
    const isKnown = new Set(toEditors.map((blog) => blog._id.toHexString()));
    return new Map(
      blogs.map(
        ({ _id, author, authorLeft, assignedTo, submitted, published, live, title, slug }) => {
          const hasAuthor = !authorLeft && !leaving.some((user) => user.equals(author));
          const own = { title, slug };
          const shown = submitted && hasAuthor ? own : published && live ? live : null;
          const versions = {
            ...(hasAuthor ? { AUTHOR: own } : {}),
            ...(isKnown.has(_id.toHexString()) && (hasAuthor || published)
              ? { EDITOR: shown }
              : {}),
          };
          return [
            _id.toHexString(),
            { _id, author, ...(assignedTo ? { assignedTo } : {}), versions },
          ];
        },
      ),
    );
  }

  /** The enabled accounts among the users that may read the comments on the blog. */
  async commentersAmong(
    users: readonly Types.ObjectId[],
    blog: Types.ObjectId,
  ): Promise<Types.ObjectId[]> {
    const [accounts, blogs] = await Promise.all([this.accounts.find(users), this.find([blog])]);
    return accounts
      .filter((reader) => this.nameFor(reader, blogs.get(blog.toHexString())) !== undefined)
      .map(({ userId }) => userId);
  }

  /**
   * What the blog is called for the reader.
   *
   * @returns null if the reader may comment on the blog only; undefined if the reader may not even know of it
   */
  nameFor({ userId, roles }: BlogReader, blog: DeskBlog | undefined): BlogName | null | undefined {
    const isAuthor = roles.includes('AUTHOR') && blog?.author.equals(userId);
    if (isAuthor && blog?.versions.AUTHOR) return blog.versions.AUTHOR;
    return roles.includes('EDITOR') ? blog?.versions.EDITOR : undefined;
  }
}
