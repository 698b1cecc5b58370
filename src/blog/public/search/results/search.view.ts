import { ApiProperty } from '@nestjs/swagger';
import type { LinksOf } from '../../../../platform/picture/picture-address.js';
import {
  ListingItemView,
  toListingItemView,
  type ListingItemSource,
} from '../../../core/views/listing-item.view.js';
import type { Highlight } from './highlight.js';

export class TextRangeView {
  @ApiProperty({ type: 'integer', minimum: 0, example: 13 })
  readonly start!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 23,
    description: 'The position after the last code unit',
  })
  readonly end!: number;
}

export class HighlightView implements Highlight {
  @ApiProperty({
    description: 'Plain text, not HTML: escape it. `…` marks where it is cut',
    example: 'Notes on the Analytical Engine',
  })
  readonly text!: string;

  @ApiProperty({
    type: [TextRangeView],
    description:
      'Where the found words stand in `text`, in UTF-16 code units as JavaScript counts them',
  })
  readonly ranges!: readonly TextRangeView[];
}

export class HighlightsView {
  @ApiProperty({ type: HighlightView, description: 'The title' })
  readonly title!: HighlightView;

  @ApiProperty({ type: HighlightView, description: 'A passage of the text' })
  readonly text!: HighlightView;
}

/** A result of a search. */
export class SearchItemView extends ListingItemView {
  @ApiProperty({ type: HighlightsView })
  readonly highlights!: HighlightsView;
}

/** A page of the results of a search. */
export class SearchView {
  @ApiProperty({ type: [SearchItemView], description: 'The best first' })
  readonly items!: readonly SearchItemView[];

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    example: 1,
    description: 'Number of results on all pages together',
  })
  readonly total!: number;

  @ApiProperty({
    example: true,
    description: 'false: there may be more results; other words, a tag or a time may find them',
  })
  readonly exhaustive!: boolean;

  @ApiProperty({
    example: false,
    description: 'true: few results have all words; results with most of the words follow',
  })
  readonly partial!: boolean;
}

export function toSearchItemView(
  blog: ListingItemSource,
  authorNames: ReadonlyMap<string, string>,
  linksOf: LinksOf,
  highlights: HighlightsView,
): SearchItemView {
  return { ...toListingItemView(blog, authorNames, linksOf), highlights };
}
