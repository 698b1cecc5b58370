import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { modelFor, type PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { withHint } from '../../../platform/database/query-hints.js';
import { PUBLIC_CHANGES_INDEX } from '../../core/blog.indexes.js';
import { Blog } from '../../core/blog.schema.js';
import { allLists, wrongCounts } from './comparison/list-comparison.js';
import {
  HAS_PUBLIC_CHANGES,
  laterOf,
  PendingChanges,
  WITHOUT_SPELLINGS,
  type ChangedBlog,
  type ListChange,
} from './public-change.js';
import { Folding, IS_FOLDING } from './folding.schema.js';
import { tagList, tagOf } from './list-names.js';
import { ListRecord } from './list-record.schema.js';

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
    @InjectModel(Folding.name) private readonly foldings: Model<Folding>,
    private readonly database: DatabaseService,
  ) {}

  /** @returns how many live blogs the list has, and when one last may have left it; null if none may have */
  async read(list: string, options: PublicReadOptions): Promise<ListChange> {
    const { readConcern } = options;
    // One command with read concern `snapshot` reads all at one moment. Neither a member without a primary nor a
    // standalone can read so: they read the changes first, so that none is missed.
    const isSnapshot = readConcern.level === 'majority' && (await this.database.isReplicaSet());
    const found = await withHint(PUBLIC_CHANGES_INDEX, (hint) =>
      modelFor(this.blogs, options)
        .aggregate<ChangedBlog | ListRecord | Folding>([
          { $match: { 'publicChanges.lists': { $in: [`+${list}`, `-${list}`] } } },
          { $project: WITHOUT_SPELLINGS },
          {
            $unionWith: { coll: this.lists.collection.name, pipeline: [{ $match: { _id: list } }] },
          },
          {
            $unionWith: { coll: this.foldings.collection.name, pipeline: [{ $match: IS_FOLDING }] },
          },
        ])
        .option({
          ...options,
          ...hint,
          ...(isSnapshot ? { readConcern: { level: 'snapshot' } } : {}),
        }),
    );
    const changed = found.filter((each) => 'publicChanges' in each);
    const folding = found.find((each) => 'isDone' in each) ?? null;
    const record = found.find((each): each is ListRecord => each._id === list);
    const missing = new PendingChanges(changed, folding).missingIn(list, record);
    return {
      count: (record?.count ?? 0) + missing.count,
      changedAt: laterOf(record?.changedAt, missing.changedAt),
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
      const keys = tagsOf(changed);
      const found = await readTags(limit + keys.length);
      if (keys.length === 0) return found;
      const records = await this.recordsOf(keys, options);
      const folding = await this.presentFolding(options);
      const before = changed;
      changed = await this.changedBlogs(options);
      // A change that was removed from its blog meanwhile may be in a record that was read before.
      if (!isSubset(before, changed)) continue;
      const pending = new PendingChanges(before, folding);
      const recent = keys.map((key) => {
        const record = records.get(tagList(key));
        return { key, count: (record?.count ?? 0) + pending.missingIn(tagList(key), record).count };
      });
      const unchanged = found.filter(({ key }) => !keys.includes(key));
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
        .select(WITHOUT_SPELLINGS)
        .setOptions({ ...options, ...hint })
        .lean<ChangedBlog[]>(),
    );
  }

  private async recordsOf(
    keys: readonly string[],
    options: PublicReadOptions,
  ): Promise<ReadonlyMap<string, ListRecord>> {
    const records = await modelFor(this.lists, options)
      .find({ _id: { $in: keys.map(tagList) } })
      .setOptions(options)
      .lean<ListRecord[]>();
    return new Map(records.map((record) => [record._id, record]));
  }

  private async presentFolding(options: PublicReadOptions): Promise<Folding | null> {
    return modelFor(this.foldings, options)
      .findOne(IS_FOLDING)
      .setOptions(options)
      .lean<Folding | null>();
  }
}

/** @returns the keys of the tags that the changes of these blogs name */
function tagsOf(changed: readonly ChangedBlog[]): string[] {
  const lists = changed.flatMap(({ publicChanges }) => publicChanges.flatMap((each) => each.lists));
  const keys = lists.map((signed) => tagOf(signed.slice(1)));
  return [...new Set(keys.filter((key) => key !== null))];
}

/** Whether the others have every change of the first blogs. */
function isSubset(some: readonly ChangedBlog[], others: readonly ChangedBlog[]): boolean {
  const namesOf = (blogs: readonly ChangedBlog[]): Set<string> =>
    new Set(
      blogs.flatMap(({ _id, publicChanges }) =>
        publicChanges.map(({ rev }) => `${_id.toHexString()} ${rev}`),
      ),
    );
  const known = namesOf(others);
  return [...namesOf(some)].every((name) => known.has(name));
}
