import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { CursorField } from '../../../platform/http/pagination/cursor-field.decorator.js';
import type { Cursor } from '../../../platform/http/pagination/cursor.js';
import { PageQuery, ShortPageQuery } from '../../../platform/http/pagination/page-query.dto.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';

const TotalField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: Boolean,
      default: false,
      example: true,
      description: 'true: the header `x-total-count` has the total number of items',
    }),
    Parse((text) => (text === 'true' ? true : text === 'false' ? false : text)),
    Check((value) => (typeof value === 'boolean' ? null : 'must be true or false')),
  );

/** The query fields of every public list: `page` or `cursor`, `limit`, and `total`. */
export class PublicPageQuery extends PageQuery {
  @CursorField({ hasPages: true })
  readonly cursor?: Cursor;

  @TotalField()
  readonly total: boolean = false;
}

/** PublicPageQuery with a lower maximum of `limit`, for `/blog/list/latest`. */
export class ShortPublicPageQuery extends ShortPageQuery {
  @CursorField({ hasPages: true })
  readonly cursor?: Cursor;

  @TotalField()
  readonly total: boolean = false;
}
