import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Types } from 'mongoose';
import { encodeCursor, parseCursor, type Cursor } from '../../platform/http/pagination/cursor.js';
import { Check, Parse } from '../../platform/http/validation/check.decorators.js';
import { Optional } from '../../platform/http/validation/text.decorator.js';

/** The position at which the first part begins: no article was published before it. */
export const FIRST_START: Cursor = { at: new Date(0), id: new Types.ObjectId('0'.repeat(24)) };

/** Whether the part that begins at the position is the first one. */
export function isFirst({ at }: Pick<Cursor, 'at'>): boolean {
  return at.getTime() === FIRST_START.at.getTime();
}

/** A position in the sitemap. */
function Position(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: 200,
      example: encodeCursor(FIRST_START),
      description,
    }),
    Optional(),
    Parse(parseCursor),
    Check((position) =>
      typeof position === 'object' && position !== null && 'id' in position
        ? null
        : 'must be taken from /sitemap.xml',
    ),
  );
}

export class SitemapQuery {
  @Position('Where a part begins, as in the index; without it, the index is returned')
  readonly start?: Cursor;

  @Position('Where the part ends, as in the index')
  readonly end?: Cursor;
}
