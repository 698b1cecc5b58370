import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Blog, IS_LIVE, IS_PUBLIC } from '../../core/blog.schema.js';
import { Spelling } from './index/spelling.schema.js';
import { LISTING_ITEM_FIELDS, type ListingItemSource } from '../../core/views/listing-item.view.js';
import { BY_ID, withHint } from '../../../platform/database/query-hints.js';
import { SORTS } from '../lists/blog-list.js';
import {
  runCommand,
  type PublicReadOptions,
} from '../../../platform/caching/causal-read-barrier.js';
import { HTML_READ_MAX } from './results/highlight.js';
import type { SearchTerm } from './search-terms.js';

/** An article that may be a result, with the fields that an index holds. */
export interface Candidate {
  readonly _id: Types.ObjectId;
  readonly live: { readonly at: Date };
}

/** A candidate, and in which place it has a term. */
export interface PlacedCandidate extends Candidate {
  readonly place: number;
}

/** The fields of an index key of a term, by their paths. */
type IndexKey = Pick<Candidate, '_id'> & {
  readonly 'live.at': Date;
} & Readonly<Partial<Record<SearchTerm['path'], unknown>>>;

/** A candidate whose words were read from the article instead of the index. */
interface CandidateWithWords extends Candidate {
  readonly live: Candidate['live'] & { readonly words?: readonly string[] };
}

/** Selects articles that were first published at `from` or later, and before `to`. */
export interface TimeRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The fields of an item. Texts are cut, because a passage is made from the beginning of a text. */
const ITEM_PROJECTION = {
  ...Object.fromEntries(LISTING_ITEM_FIELDS.map((field) => [field, 1])),
  htmlVersion: 1,
  text: { $substrCP: [{ $ifNull: ['$text', ''] }, 0, HTML_READ_MAX] },
};

/**
 * Reads the data that a search needs. It fetches the articles of the page only; of all other articles
 * it reads index keys.
 */
@Injectable()
export class TermQueries {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectModel(Spelling.name) private readonly spellings: Model<Spelling>,
  ) {}

  /** The first words with this beginning, in the order of their characters. */
  async spellingsOf(
    beginning: string,
    limit: number,
    options: PublicReadOptions,
  ): Promise<Spelling[]> {
    const command = {
      find: 'search_spellings',
      // The upper bound is greater than any word with the beginning. The filter is a range, so that
      // typed text is never read as a pattern.
      filter: { _id: { $gte: beginning, $lt: `${beginning}\u{10ffff}` } },
      sort: { _id: 1 },
      hint: BY_ID.hint,
      ...onePage(limit),
    };
    return firstBatch(runCommand(this.spellings.db, command, options));
  }

  /**
   * The newest live articles that have one of these values of the term, each with its place. For a
   * beginning, an article may have several of the values; its place is then that of any of them.
   */
  async newest(
    term: SearchTerm,
    values: readonly unknown[],
    { from, to, limit }: TimeRange & { readonly limit: number },
    options: PublicReadOptions,
  ): Promise<PlacedCandidate[]> {
    const at = {
      ...IS_LIVE['live.at'],
      ...(from ? { $gte: from } : {}),
      ...(to ? { $lt: to } : {}),
    };
    const command = { filter: { 'live.at': at }, sort: SORTS.newest };
    return this.candidatesWith(term, values, { ...command, ...onePage(limit) }, options);
  }

  /**
   * Finds out which candidates have the term, and in which place: one step in the index for each
   * candidate.
   *
   * @returns the most important place of the term, by the ids of the candidates that have it
   */
  async placesIn(
    candidates: readonly Candidate[],
    term: SearchTerm,
    options: PublicReadOptions,
  ): Promise<ReadonlyMap<string, number>> {
    const filter = {
      'live.at': { $in: candidates.map(({ live }) => live.at) },
      _id: { $in: candidates.map(({ _id }) => _id) },
    };
    // MongoDB returns an article once, for the first of its keys in the order of the index. This key
    // has the most important place of a group.
    const command = { filter, ...onePage(candidates.length) };
    const found = await Promise.all(
      term.groups.map((values) => this.candidatesWith(term, values, command, options)),
    );
    return new Map(found.flat().map(({ _id, place }) => [_id.toHexString(), place]));
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

  /**
   * Finds public articles by an index. The index key of an article tells by which value it was found,
   * and so in which place it has the term.
   */
  private async candidatesWith(
    { path, index, placeOf }: SearchTerm,
    values: readonly unknown[],
    { filter, ...command }: { readonly filter: object },
    options: PublicReadOptions,
  ): Promise<PlacedCandidate[]> {
    const findCommand = {
      find: 'blogs',
      filter: { [path]: oneOf(values), ...IS_PUBLIC, ...filter },
      ...command,
    };
    return withHint(index, async ({ hint }) => {
      if (hint) {
        const keysCommand = { ...findCommand, hint, returnKey: true };
        const found = await firstBatch<IndexKey>(runCommand(this.blogs.db, keysCommand, options));
        return found.map((key) => ({
          _id: key._id,
          live: { at: key['live.at'] },
          place: placeOf(key[path]),
        }));
      }
      // Without the index, the most important place is found in the article itself.
      const articlesCommand = { ...findCommand, projection: { 'live.at': 1, [path]: 1 } };
      const found = await firstBatch<CandidateWithWords>(
        runCommand(this.blogs.db, articlesCommand, options),
      );
      return found.map(({ _id, live }) => ({
        _id,
        live: { at: live.at },
        place: bestPlace(live, values, placeOf),
      }));
    });
  }
}

function onePage(limit: number): object {
  return { limit, batchSize: limit, singleBatch: true };
}

function oneOf(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : { $in: values };
}

/** @param live the part of the article that holds words, if the term is a word */
function bestPlace(
  live: CandidateWithWords['live'],
  values: readonly unknown[],
  placeOf: SearchTerm['placeOf'],
): number {
  const places = (live.words ?? []).filter((word) => values.includes(word)).map(placeOf);
  return places.length === 0 ? 0 : Math.min(...places);
}

async function firstBatch<Item>(
  answer: Promise<{ readonly cursor: { readonly firstBatch: Item[] } }>,
): Promise<Item[]> {
  return (await answer).cursor.firstBatch;
}
