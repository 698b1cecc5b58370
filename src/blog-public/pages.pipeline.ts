import type { PipelineStage, QueryFilter } from 'mongoose';
import type { Blog } from '../blog/blog.schema.js';
import { LISTING_ITEM_FIELDS, type ListingItemSource } from '../blog/views/listing-item.view.js';
import type { IndexKeys } from '../database/with-hint.js';
import { unionOf, type Stage } from './union.js';

export const NEWEST_FIRST = { 'live.at': -1, _id: -1 } as const;

export const LISTING_ITEM_PROJECTION = Object.fromEntries(
  LISTING_ITEM_FIELDS.map((field) => [field, 1]),
);

/** Some of a list of live blogs, newest first. */
export interface PageOfBlogs {
  readonly filter: QueryFilter<Blog>;
  /** The keys of its index. */
  readonly index: IndexKeys;
  readonly skip: number;
  readonly limit: number;
}

/** An item with the number of the page that it is on. */
export type NumberedItem = ListingItemSource & { readonly page: number };

/**
 * Reads several pages at once, each as by a query of its own: by its index, up to its limit.
 *
 * @param pages at least one
 * @returns a pipeline that answers with NumberedItem
 */
export function pagesPipeline(pages: readonly PageOfBlogs[]): PipelineStage[] {
  // The stages are built from data, which the literal types of PipelineStage cannot follow.
  return unionOf(pages.map(stagesOf)) as unknown as PipelineStage[];
}

function stagesOf({ filter, skip, limit }: PageOfBlogs, page: number): Stage[] {
  return [
    { $match: filter },
    { $sort: NEWEST_FIRST },
    ...(skip > 0 ? [{ $skip: skip }] : []),
    { $limit: limit },
    { $project: { ...LISTING_ITEM_PROJECTION, page: { $literal: page } } },
  ];
}
