import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { modelFor, type PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { withHint } from '../../../platform/database/query-hints.js';
import { PUBLIC_CHANGES_INDEX } from '../../core/blog.indexes.js';
import { Blog } from '../../core/blog.schema.js';
import { allLists, wrongCounts } from './comparison/list-comparison.js';
import { changesOfLists, HAS_PUBLIC_CHANGES, laterOf, type ListChange } from './public-change.js';
import { tagList, tagOf } from './list-names.js';
import { ListRecord } from './list-record.schema.js';

type ChangedBlog = Required<Pick<Blog, '_id' | 'publicChanges'>>;

/** A tag that live blogs have, with their number. */
export interface CountedTag {
  readonly key: string;
  readonly count: number;
}

/** Reads one stretch of the records of tags. */
type ReadTags = (limit: number) => Promise<readonly CountedTag[]>;

/**
 * Reads the counts of public lists (docs/adr/0018): the records of the lists, and what transitions have changed since
 * the records were last written. A read sees every change up to the causal read barrier.
 */
@Injectable()
export class ListCounts {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectModel(ListRecord.name) private readonly lists: Model<ListRecord>,
    private readonly database: DatabaseService,
  ) {}

  /** @returns how many live blogs the list has, and when one last may have left it; null if none may have */
  async read(list: string, options: PublicReadOptions): Promise<ListChange> {
    const { readConcern } = options;
    // Changes are folded into the record in a transaction. One command with read concern `snapshot` sees each change
    // once, in its blog or in the record. Neither a member without a primary nor a standalone can read so.
    const isSnapshot = readConcern.level === 'majority' && (await this.database.isReplicaSet());
    const found = await withHint(PUBLIC_CHANGES_INDEX, (hint) =>
      modelFor(this.blogs, options)
        .aggregate<ChangedBlog | ListRecord>([
          { $match: { 'publicChanges.lists': { $in: [`+${list}`, `-${list}`] } } },
          { $project: { 'publicChanges.at': 1, 'publicChanges.lists': 1 } },
          {
            $unionWith: { coll: this.lists.collection.name, pipeline: [{ $match: { _id: list } }] },
          },
        ])
        .option({
          ...options,
          ...hint,
          ...(isSnapshot ? { readConcern: { level: 'snapshot' } } : {}),
        }),
    );
    const record = found.find((each) => !('publicChanges' in each)) as ListRecord | undefined;
    const changes = found.flatMap((each) => ('publicChanges' in each ? each.publicChanges : []));
    const change = changesOfLists(changes).get(list);
    return {
      count: (record?.count ?? 0) + (change?.count ?? 0),
      changedAt: laterOf(record?.changedAt, change?.changedAt),
    };
  }

  /**
   * Reads tags with their counts.
   *
   * @param readTags reads the records of the first tags, in some order
   * @param compare the same order
   * @param isWanted whether `readTags` might return a tag with this count
   * @returns the first `limit` tags, or fewer if there are no more
   */
  async readTags(
    limit: number,
    {
      readTags,
      compare,
      isWanted,
    }: {
      readonly readTags: ReadTags;
      readonly compare: (one: CountedTag, other: CountedTag) => number;
      readonly isWanted: (tag: CountedTag) => boolean;
    },
    options: PublicReadOptions,
  ): Promise<readonly CountedTag[]> {
    for (let changed = await this.changedBlogs(options); ;) {
      const changes = tagChangesOf(changed);
      const keys = [...changes.keys()];
      const found = await readTags(limit + keys.length);
      if (keys.length === 0) return found;
      const stored = await this.storedCounts(keys, options);
      const before = changed;
      changed = await this.changedBlogs(options);
      // A change that was folded meanwhile may be in the records that were read.
      if (!isSubset(before, changed)) continue;
      const recent = [...changes].map(([key, count]) => ({
        key,
        count: count + (stored.get(key) ?? 0),
      }));
      const unchanged = found.filter(({ key }) => !changes.has(key));
      const wanted = recent.filter((tag) => tag.count > 0 && isWanted(tag));
      return [...unchanged, ...wanted].toSorted(compare).slice(0, limit);
    }
  }

  /**
   * Compares the counts with the blogs, and corrects nothing.
   *
   * @param maxMs milliseconds after which no further lists are compared
   * @returns the names of the lists whose count is wrong
   */
  async compare(maxMs: number): Promise<{
    readonly compared: number;
    readonly wrong: readonly string[];
    readonly isComplete: boolean;
  }> {
    const { db } = this.blogs.db;
    if (!db) throw new Error('the database was asked before it was connected to');
    const beganAt = performance.now();
    let compared = 0;
    const wrong: string[] = [];
    for await (const lists of allLists(db)) {
      if (performance.now() - beganAt > maxMs) return { compared, wrong, isComplete: false };
      wrong.push(...(await wrongCounts(db, lists)).map(({ list }) => list));
      compared += lists.length;
    }
    return { compared, wrong, isComplete: true };
  }

  private async changedBlogs(options: PublicReadOptions): Promise<readonly ChangedBlog[]> {
    return withHint(PUBLIC_CHANGES_INDEX, (hint) =>
      modelFor(this.blogs, options)
        .find(HAS_PUBLIC_CHANGES)
        .select(['publicChanges.at', 'publicChanges.lists'])
        .setOptions({ ...options, ...hint })
        .lean<ChangedBlog[]>(),
    );
  }

  private async storedCounts(
    keys: readonly string[],
    options: PublicReadOptions,
  ): Promise<ReadonlyMap<string, number>> {
    const records = await modelFor(this.lists, options)
      .find({ _id: { $in: keys.map(tagList) } })
      .select(['tag', 'count'])
      .setOptions(options)
      .lean<ListRecord[]>();
    return new Map(records.map(({ tag = '', count = 0 }) => [tag, count]));
  }
}

/** @returns what the changes of these blogs add to the count of each tag that they name */
function tagChangesOf(changed: readonly ChangedBlog[]): ReadonlyMap<string, number> {
  const lists = changesOfLists(changed.flatMap(({ publicChanges }) => publicChanges));
  return new Map(
    [...lists].flatMap(([list, { count }]): [string, number][] => {
      const key = tagOf(list);
      return key === null ? [] : [[key, count]];
    }),
  );
}

/** Whether the others have every change of the first blogs: a transition appends a change, and a folding removes all. */
function isSubset(some: readonly ChangedBlog[], others: readonly ChangedBlog[]): boolean {
  const textOf = ({ publicChanges }: ChangedBlog): string => JSON.stringify(publicChanges);
  const texts = new Map(others.map((blog) => [blog._id.toHexString(), textOf(blog)]));
  return some.every((blog) =>
    texts.get(blog._id.toHexString())?.startsWith(textOf(blog).slice(0, -1)),
  );
}
