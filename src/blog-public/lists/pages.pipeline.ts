import type { PipelineStage } from 'mongoose';
import { LISTING_ITEM_FIELDS, type ListingItemSource } from '../../blog/views/listing-item.view.js';
import { unionOf, type Stage } from '../reads/union.js';
import type { ListPage } from './list-page.js';

export const NEWEST_FIRST = { 'live.at': -1, _id: -1 } as const;

export const LISTING_ITEM_PROJECTION = Object.fromEntries(
  LISTING_ITEM_FIELDS.map((field) => [field, 1]),
);

/** An item with the index of its page in the list of pages. */
export type NumberedItem = ListingItemSource & { readonly page: number };

/**
 * Reads several pages at once, each by its own index and up to its own limit: its size and one more.
 *
 * @param pages at least one
 * @returns a pipeline whose results are NumberedItem
 */
export function pagesPipeline(pages: readonly ListPage[]): PipelineStage[] {
  // The stages are built from data, which the literal types of PipelineStage cannot follow.
  return unionOf(pages.map(stagesOf)) as unknown as PipelineStage[];
}

function stagesOf({ filter, skip, size }: ListPage, page: number): Stage[] {
  return [
    { $match: filter },
    { $sort: NEWEST_FIRST },
    ...(skip > 0 ? [{ $skip: skip }] : []),
    { $limit: size + 1 },
    { $project: { ...LISTING_ITEM_PROJECTION, page: { $literal: page } } },
  ];
}
