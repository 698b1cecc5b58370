import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Types } from 'mongoose';
import {
  encodeCursor,
  parseCursor,
  type Cursor,
} from '../../../platform/http/pagination/cursor.js';
import { PageQuery, ShortPageQuery } from '../../../platform/http/pagination/page-query.dto.js';
import { Check, Parse } from '../../../platform/http/validation/check.decorators.js';

const EXAMPLE = encodeCursor({
  at: new Date('2026-01-02T03:04:05.678Z'),
  id: new Types.ObjectId('66f1a2b3c4d5e6f708192a3b'),
});

const CursorField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: 200,
      example: EXAMPLE,
      description:
        'From the `Link` header of the previous page; costs the same at any depth. Not with `page`.',
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? parseCursor(value) : value === undefined ? undefined : null,
    ),
    // `page` is 1 when the request does not name it.
    Check((cursor, { page }: Partial<PageQuery>) =>
      cursor === undefined || (cursor !== null && page === 1)
        ? null
        : 'must be taken from the Link header of a list, and not stand beside page',
    ),
  );

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
  @CursorField()
  readonly cursor?: Cursor;

  @TotalField()
  readonly total: boolean = false;
}

/** PublicPageQuery with a lower maximum of `limit`, for `/blog/list/latest`. */
export class ShortPublicPageQuery extends ShortPageQuery {
  @CursorField()
  readonly cursor?: Cursor;

  @TotalField()
  readonly total: boolean = false;
}
