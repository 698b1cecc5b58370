import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Check, Parse } from '../validation/check.decorators.js';

const MAX_PAGE = 999_999_999;

/** Declares a whole number from 1 to `maximum` in a query string, written in digits only. */
export function WholeNumber(maximum: number, defaultValue: number): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 1,
      maximum,
      default: defaultValue,
      example: defaultValue,
    }),
    Parse((text) => (/^\d{1,9}$/.test(text) ? Number(text) : text)),
    Check((value) =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maximum
        ? null
        : `must be a whole number from 1 to ${maximum}`,
    ),
  );
}

/** The `page` and `limit` of a list: 10 items by default, 100 at most. */
export class PageQuery {
  @WholeNumber(MAX_PAGE, 1)
  readonly page: number = 1;

  @WholeNumber(100, 10)
  readonly limit: number = 10;
}

/**
 * The `page` and `limit` of `/blog/list/latest`, a path of an older server: 10 items by default, 50 at most.
 */
export class ShortPageQuery {
  @WholeNumber(MAX_PAGE, 1)
  readonly page: number = 1;

  @WholeNumber(50, 10)
  readonly limit: number = 10;
}

/** Number of records to skip before a page. */
export function skipOf({ page, limit }: Pick<PageQuery, 'page' | 'limit'>): number {
  return (page - 1) * limit;
}
