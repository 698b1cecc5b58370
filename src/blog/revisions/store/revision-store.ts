import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model, type mongo } from 'mongoose';
import { OPERATION_MAX_MS } from '../../../platform/database/client-options.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { removeMany } from '../../trash/remove-many.js';
import { Blog, type BlogFilter } from '../../core/blog.schema.js';
import { RevisionContent } from './revision-content.schema.js';
import type { RevisionEntry } from './revision-entry.js';
import {
  compressFields,
  liveFields,
  workingFields,
  type RevisionFields,
} from './revision-fields.js';

/** A blog as it was read for a revision. */
export interface BlogSnapshot {
  readonly blog: Blog;
  /** When the blog was read, by the database's clock. */
  readonly readAt: Date;
}

/** A content that is stored and that no blog names yet. */
export interface StoredContent {
  readonly content: Types.ObjectId;
  /** A condition for the write that names the content: the write must happen in time. */
  readonly inTime: BlogFilter;
}

/** The contents of new blogs, which are stored and which no blog names yet. */
export interface NewContents {
  /** Ids of the contents, in the order of the blogs. */
  readonly ids: readonly Types.ObjectId[];
  /** Whether a blog that names one of the contents may still be inserted. */
  readonly isInTime: () => boolean;
}

type ContentInput = Pick<RevisionContent, 'blog' | 'rev'> & {
  readonly fields: RevisionFields;
  readonly htmlVersion: number | null | undefined;
  readonly readAt: Date;
};

/**
 * Time within which a write may name a content, in milliseconds after the blog was read. A request
 * takes at most five seconds, but a process that was suspended may continue much later.
 */
const NAMING_MS = 60_000;

/**
 * Time after which the sweep decides on a content, in milliseconds after the blog was read. The
 * difference to NAMING_MS is larger than the difference between the clocks of two members of a
 * replica set, and larger than the time by which a majority may be behind the primary.
 */
const SWEEP_AFTER_MS = 10 * 60_000;

/**
 * Stores the contents of revisions (docs/adr/0012). The driver writes them, as it writes blogs: Mongoose
 * would cast and copy the compressed text.
 */
@Injectable()
export class RevisionStore {
  private readonly contents: mongo.Collection<RevisionContent>;
  private readonly blogs: mongo.Collection<Blog>;

  constructor(
    @InjectModel(RevisionContent.name) private readonly model: Model<RevisionContent>,
    @InjectModel(Blog.name) blogs: Model<Blog>,
  ) {
    this.contents = model.collection as unknown as mongo.Collection<RevisionContent>;
    this.blogs = blogs.collection as unknown as mongo.Collection<Blog>;
  }

  /**
   * Reads a blog as a majority of the replica set has it. A failover cannot roll back what was
   * read, so no other fields can ever have this revision number.
   *
   * @returns null for an unknown blog
   */
  async read(id: Types.ObjectId): Promise<BlogSnapshot | null> {
    const [found] = await this.blogs
      .aggregate<Blog & Pick<BlogSnapshot, 'readAt'>>(
        [{ $match: { _id: id } }, { $unset: 'live.words' }, { $set: { readAt: '$$NOW' } }],
        {
          ...BY_ID,
          maxTimeMS: OPERATION_MAX_MS,
          readConcern: { level: 'majority' },
          readPreference: 'primary',
        },
      )
      .toArray();
    if (!found) return null;
    const { readAt, ...blog } = found;
    return { blog, readAt };
  }

  /**
   * Stores the content of the revision that a transition is about to make.
   *
   * @param snapshot the blog that was read, after the changes of the transition were applied to it
   */
  async store({ blog, readAt }: BlogSnapshot): Promise<StoredContent> {
    const { _id, rev, htmlVersion } = blog;
    const fields = workingFields(blog);
    const content = await this.insert({ blog: _id, rev: rev + 1, fields, htmlVersion, readAt });
    return { content, inTime: namesInTime(readAt) };
  }

  /** Stores the contents of the first revisions of blogs that are about to be inserted. */
  async storeNew(blogs: readonly Blog[]): Promise<NewContents> {
    const startedAt = performance.now();
    const readAt = await this.now();
    const contents = await Promise.all(
      blogs.map((blog) => {
        const { _id, rev, htmlVersion } = blog;
        return contentOf({ blog: _id, rev, fields: workingFields(blog), htmlVersion, readAt });
      }),
    );
    if (contents.length > 0) await this.contents.insertMany(contents);
    return {
      ids: contents.map(({ _id }) => _id),
      isInTime: () => performance.now() - startedAt < NAMING_MS,
    };
  }

  /** Removes the content of a transition that has failed. */
  async discard(content: Types.ObjectId): Promise<void> {
    await this.contents.deleteOne({ _id: content }, { maxTimeMS: OPERATION_MAX_MS });
  }

  /** Removes the contents of these blogs. */
  async removeAllOf(blogs: readonly Types.ObjectId[]): Promise<void> {
    await removeMany<RevisionContent>(this.model, { blog: { $in: blogs } });
  }

  /**
   * Removes the contents that no revision of the blogs names.
   *
   * @param blogs the blogs, with only their publications in `revisions`. A content with a higher revision number
   *   stays, because it may belong to a transition that is being made
   */
  async removeUnpublished(
    blogs: readonly Pick<Blog, '_id' | 'rev' | 'revisions'>[],
  ): Promise<void> {
    const adopted = blogs.filter(({ revisions }) => revisions);
    const revs = new Map(adopted.map(({ _id, rev }) => [_id.toHexString(), rev]));
    const listed = new Set(
      adopted.flatMap(({ revisions = [] }) =>
        revisions.map(({ content }) => content.toHexString()),
      ),
    );
    const stored = await this.contents
      .find({ blog: { $in: adopted.map(({ _id }) => _id) } }, { projection: { blog: 1, rev: 1 } })
      .toArray();
    const unlisted = stored.filter(
      ({ _id, blog, rev }) =>
        rev <= (revs.get(blog.toHexString()) ?? 0) && !listed.has(_id.toHexString()),
    );
    await removeMany<RevisionContent>(this.model, { _id: { $in: unlisted.map(({ _id }) => _id) } });
  }

  /**
   * Creates the first revisions of a blog of an older version, before its first transition: the
   * live version becomes a publication, and the submitted working copy a submission. Does nothing
   * when the blog has changed meanwhile.
   */
  async adopt(id: Types.ObjectId): Promise<void> {
    const snapshot = await this.read(id);
    if (!snapshot || snapshot.blog.revisions) return;
    const { blog, readAt } = snapshot;
    const { rev, live, submitted, htmlVersion } = blog;
    const at = blog.updatedAt ?? id.getTimestamp();
    const entries: RevisionEntry[] = [];
    const add = async (
      entry: Omit<RevisionEntry, 'content'>,
      fields: RevisionFields,
    ): Promise<void> => {
      const content = { blog: id, rev: entry.rev, fields, htmlVersion, readAt };
      entries.push({ ...entry, content: await this.insert(content) });
    };
    if (live) {
      // The revision number is below that of the submission, because each revision of a blog has
      // its own number.
      const entry = { rev: submitted ? rev - 1 : rev, by: null, at: blog.publishedAt ?? at };
      await add({ ...entry, move: 'publish' }, liveFields(blog));
    }
    if (submitted) {
      const entry = { rev, by: blog.author, at: blog.submittedAt ?? at };
      await add({ ...entry, move: 'submit' }, workingFields(blog));
    }
    await this.blogs.updateOne(
      { _id: id, rev, revisions: { $exists: false }, ...namesInTime(readAt) } as mongo.Filter<Blog>,
      { $set: { revisions: entries } },
      { ...BY_ID, maxTimeMS: OPERATION_MAX_MS },
    );
  }

  /**
   * The insertion is acknowledged by a majority, like every write: if the primary fails before the
   * transition that follows, the next primary has the content.
   */
  private async insert(input: ContentInput): Promise<Types.ObjectId> {
    const content = await contentOf(input);
    await this.contents.insertOne(content);
    return content._id;
  }

  /** The present time by the database's clock. */
  private async now(): Promise<Date> {
    const answer = await this.model.db.db?.command({ hello: 1 });
    return (answer as { readonly localTime: Date }).localTime;
  }
}

async function contentOf(input: ContentInput): Promise<RevisionContent> {
  const { blog, rev, fields, htmlVersion = null, readAt } = input;
  const _id = new Types.ObjectId();
  const compressed = await compressFields(fields);
  const title = fields.title ?? '';
  const sweepAt = new Date(readAt.getTime() + SWEEP_AFTER_MS);
  return { _id, blog, rev, title, htmlVersion, fields: compressed, sweepAt };
}

function namesInTime(readAt: Date): BlogFilter {
  return { $expr: { $lt: ['$$NOW', new Date(readAt.getTime() + NAMING_MS)] } };
}
