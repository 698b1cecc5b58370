import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Blog, IS_LIVE, IS_PUBLIC } from '../../blog/blog.schema.js';
import { Spelling } from '../../blog/search/spelling.schema.js';
import { LISTING_ITEM_FIELDS, type ListingItemSource } from '../../blog/views/listing-item.view.js';
import { BY_ID, withHint, type IndexKeys } from '../../database/query-hints.js';
import { SORTS } from '../lists/blog-list.js';
import type { PublicReadOptions } from '../reads/public-reads.js';
import { runCommand } from '../reads/run-command.js';
import { HTML_READ_MAX } from './results/highlight.js';
import type { SearchTerm } from './search-terms.js';

/** An article that may be found, as an index knows it. */
export interface Candidate {
  readonly _id: Types.ObjectId;
  readonly live: { readonly at: Date };
}

/** The bounds of the first publication: from this time on, and before that. */
export interface TimeRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Texts are cut: a passage is made of their beginnings. */
const ITEM_PROJECTION = {
  ...Object.fromEntries(LISTING_ITEM_FIELDS.map((field) => [field, 1])),
  htmlVersion: 1,
  text: { $substrCP: [{ $ifNull: ['$text', ''] }, 0, HTML_READ_MAX] },
};

/** Reads what a search asks of the database. All but the items of the page comes from index keys alone. */
@Injectable()
export class TermQueries {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectModel(Spelling.name) private readonly spellings: Model<Spelling>,
  ) {}

  /** The first words that begin so, in the order of their characters. */
  async spellingsOf(
    beginning: string,
    limit: number,
    options: PublicReadOptions,
  ): Promise<Spelling[]> {
    const command = {
      find: 'search_spellings',
      // No word has a greater character. Nothing that was typed becomes a pattern.
      filter: { _id: { $gte: beginning, $lt: `${beginning}\u{10ffff}` } },
      sort: { _id: 1 },
      hint: BY_ID.hint,
      ...onePage(limit),
    };
    return firstBatch(runCommand(this.spellings.db, command, options));
  }

  /** The newest live articles that have the term in one of these places. */
  async newest(
    { path, index }: SearchTerm,
    values: readonly unknown[],
    { from, to, limit }: TimeRange & { readonly limit: number },
    options: PublicReadOptions,
  ): Promise<Candidate[]> {
    const at = {
      ...IS_LIVE['live.at'],
      ...(from ? { $gte: from } : {}),
      ...(to ? { $lt: to } : {}),
    };
    const filter = { [path]: oneOf(values), ...IS_PUBLIC, 'live.at': at };
    return this.keys({ filter, sort: SORTS.newest, limit }, index, options);
  }

  /**
   * Finds out which candidates have the term, and where: one step in the index for each candidate.
   *
   * @returns the most important place of the term, by the ids of the candidates that have it
   */
  async placesIn(
    candidates: readonly Candidate[],
    { path, index, places }: SearchTerm,
    options: PublicReadOptions,
  ): Promise<ReadonlyMap<string, number>> {
    const among = {
      ...IS_PUBLIC,
      'live.at': { $in: candidates.map(({ live }) => live.at) },
      _id: { $in: candidates.map(({ _id }) => _id) },
    };
    const found = await Promise.all(
      places.map((values) => {
        const filter = { [path]: oneOf(values), ...among };
        return this.keys({ filter, limit: candidates.length }, index, options);
      }),
    );
    // A beginning may stand in several places, and the first one counts.
    const byPlace = found.flatMap((list, place) =>
      list.map(({ _id }) => [_id.toHexString(), place] as const),
    );
    return new Map(byPlace.toReversed());
  }

  /** The live articles with these ids, in any order. */
  async items(
    ids: readonly Types.ObjectId[],
    options: PublicReadOptions,
  ): Promise<ListingItemSource[]> {
    const command = {
      find: 'blogs',
      filter: { _id: { $in: ids }, ...IS_LIVE },
      projection: ITEM_PROJECTION,
      ...BY_ID,
      ...onePage(ids.length),
    };
    return firstBatch(runCommand(this.blogs.db, command, options));
  }

  private async keys(
    {
      limit,
      ...query
    }: { readonly filter: object; readonly sort?: object; readonly limit: number },
    index: IndexKeys,
    options: PublicReadOptions,
  ): Promise<Candidate[]> {
    const command = { find: 'blogs', ...query, projection: { 'live.at': 1 }, ...onePage(limit) };
    return withHint(index, (hint) =>
      firstBatch(runCommand(this.blogs.db, { ...command, ...hint }, options)),
    );
  }
}

function onePage(limit: number): object {
  return { limit, batchSize: limit, singleBatch: true };
}

function oneOf(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : { $in: values };
}

async function firstBatch<Item>(
  answer: Promise<{ readonly cursor: { readonly firstBatch: Item[] } }>,
): Promise<Item[]> {
  return (await answer).cursor.firstBatch;
}
