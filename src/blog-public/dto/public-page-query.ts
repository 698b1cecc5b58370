import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { Types } from 'mongoose';
import { encodeCursor, parseCursor, type Cursor } from '../../common/pagination/cursor.js';
import { PageQuery, ShortPageQuery } from '../../common/pagination/page-query.dto.js';

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
        'From the `Link` header of the page before; its cost does not grow with depth. Not with `page`.',
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? parseCursor(value) : value === undefined ? undefined : null,
    ),
    ValidateBy({
      name: 'cursor',
      validator: {
        // `page` is 1 when the request does not name it.
        validate: (cursor, args) =>
          cursor === undefined ||
          (cursor !== null && (args?.object as Partial<PageQuery>).page === 1),
        defaultMessage: () =>
          'cursor must be taken from the Link header of a list, and not stand beside page',
      },
    }),
  );

const TotalField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: Boolean,
      default: false,
      example: true,
      description: 'true: the header `x-total-count` says how many there are in all',
    }),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    ValidateBy({
      name: 'total',
      validator: {
        validate: (value) => typeof value === 'boolean',
        defaultMessage: () => 'total must be true or false',
      },
    }),
  );

/** `page` or `cursor`, `limit` and `total` of a public list. */
export class PublicPageQuery extends PageQuery {
  @CursorField()
  readonly cursor?: Cursor;

  @TotalField()
  readonly total: boolean = false;
}

/** The same fields with a lower maximum of `limit`, for `/blog/list/latest`. */
export class ShortPublicPageQuery extends ShortPageQuery {
  @CursorField()
  readonly cursor?: Cursor;

  @TotalField()
  readonly total: boolean = false;
}
