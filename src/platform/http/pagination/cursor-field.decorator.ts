import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Types } from 'mongoose';
import { Check } from '../validation/check.decorators.js';
import { encodeCursor, parseCursor } from './cursor.js';

const EXAMPLE = encodeCursor({
  at: new Date('2026-01-02T03:04:05.678Z'),
  id: new Types.ObjectId('66f1a2b3c4d5e6f708192a3b'),
});

/**
 * Declares the `cursor` of a list.
 *
 * @param hasPages whether the list can be read by page numbers as well
 */
export function CursorField({ hasPages }: { readonly hasPages: boolean }): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: 200,
      example: EXAMPLE,
      description:
        'From the `Link` header of the previous page; costs the same at any depth.' +
        (hasPages ? ' Not with `page`.' : ''),
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? parseCursor(value) : value === undefined ? undefined : null,
    ),
    // `page` is 1 when the request does not name it.
    Check((cursor, { page = 1 }: { readonly page?: number }) =>
      cursor === undefined || (cursor !== null && page === 1)
        ? null
        : `must be taken from the Link header of a list${hasPages ? ', and not stand beside page' : ''}`,
    ),
  );
}
