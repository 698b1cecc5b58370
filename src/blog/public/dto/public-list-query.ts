import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { Types } from 'mongoose';
import { SelectedTag } from '../../core/dto/selected-tag.decorator.js';
import { ObjectIdText } from '../../../platform/http/object-id/object-id.param.js';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { DateTime } from '../../../platform/http/validation/date-time/date-time.decorator.js';
import { Optional } from '../../../platform/http/validation/text.decorator.js';
import { PublicPageQuery, ShortPublicPageQuery } from './public-page-query.js';

/** Largest number of items with their texts on one page: 20 texts of 100,000 characters are 2 MB. */
const MAX_WITH_TEXT = 20;

const ORDERS = ['newest', 'oldest'] as const;

export type ListOrder = (typeof ORDERS)[number];

const IncludeField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: ['text'],
      example: 'text',
      description: `\`text\`: items have their text; then \`limit\` is at most ${MAX_WITH_TEXT}`,
    }),
    Optional(),
    Check((include, { limit }: Partial<PublicPageQuery>) => {
      if (include !== 'text') return 'must be text';
      return Number(limit) <= MAX_WITH_TEXT ? null : `needs a limit of ${MAX_WITH_TEXT} at most`;
    }),
  );

/** The query fields that select the items of a public list. */
export class PublicListQuery extends PublicPageQuery {
  @IncludeField()
  readonly include?: 'text';

  @DateTime({ description: 'First published at this time or later', nullable: false })
  readonly from?: Date;

  @DateTime({ description: 'First published before this time', nullable: false })
  readonly to?: Date;

  @ApiPropertyOptional({
    enum: ORDERS,
    default: 'newest',
    example: 'oldest',
    description: 'By the time of the first publication',
  })
  @Optional()
  @IsIn(ORDERS, { message: `order must be one of ${ORDERS.join(', ')}` })
  readonly order: ListOrder = 'newest';
}

/** The query of the list of all articles. */
export class LatestQuery extends PublicListQuery {
  @SelectedTag()
  readonly tag?: string;

  @ObjectIdText({ optional: true, description: 'Only articles of this author. Not with `tag`.' })
  readonly author?: Types.ObjectId;
}

/** The query of `/blog/list/latest`, a path of an older server. */
export class ShortListQuery extends ShortPublicPageQuery {
  @IncludeField()
  readonly include?: 'text';
}
