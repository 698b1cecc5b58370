import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

const MAX_PAGE = 999_999_999;

/** A whole number in a query string, in plain digits. */
function WholeNumber(name: string, maximum: number, initial: number): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 1,
      maximum,
      default: initial,
      example: initial,
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ),
    ValidateBy({
      name: 'wholeNumber',
      validator: {
        validate: (value) =>
          Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maximum,
        defaultMessage: () => `${name} must be a whole number from 1 to ${maximum}`,
      },
    }),
  );
}

/** `page` and `limit` of a listing: 10 items unless told, 100 at most. */
export class PageQuery {
  @WholeNumber('page', MAX_PAGE, 1)
  readonly page: number = 1;

  @WholeNumber('limit', 100, 10)
  readonly limit: number = 10;
}

/** The same for `/blog/list/latest`, the path of the older mobile server, whose limit ends at 50. */
export class ShortPageQuery {
  @WholeNumber('page', MAX_PAGE, 1)
  readonly page: number = 1;

  @WholeNumber('limit', 50, 10)
  readonly limit: number = 10;
}

/** How many records come before a page; `limit` is how many it holds. */
export function skipOf({ page, limit }: Pick<PageQuery, 'page' | 'limit'>): number {
  return (page - 1) * limit;
}
