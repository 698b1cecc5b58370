import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseInput } from '../input/parse-input.js';
import { PageQuery, ShortPageQuery, skipOf } from './page-query.dto.js';

function parse(
  query: object,
  metatype: typeof PageQuery | typeof ShortPageQuery = PageQuery,
): PageQuery {
  return parseInput(query, { type: 'query', metatype }) as PageQuery;
}

describe('PageQuery', () => {
  it('should default to the first ten', () => {
    expect(parse({})).toEqual({ page: 1, limit: 10 });
  });

  it.each([
    [
      { page: '3', limit: '7' },
      { page: 3, limit: 7 },
    ],
    [{ page: '999999999' }, { page: 999_999_999, limit: 10 }],
    [{ page: '007' }, { page: 7, limit: 10 }],
    [{ limit: '100' }, { page: 1, limit: 100 }],
    [{ limit: '1' }, { page: 1, limit: 1 }],
  ])('should read %j', (query, expected) => {
    expect(parse(query)).toEqual(expected);
  });

  it.each([
    '0',
    '00',
    '-1',
    '1.0',
    '1e2',
    '0x1',
    '',
    ' 1',
    '1 ',
    '١',
    'one',
    'Infinity',
    'NaN',
    'null',
    '1000000000',
    '99999999999999999999',
    ['1'],
    ['1', '2'],
    { $gt: '1' },
  ])('should refuse the page %j', (page) => {
    expect(() => parse({ page })).toThrow('page must be a whole number from 1 to 999999999');
  });

  it('should bound the limit', () => {
    for (const limit of ['0', '101', '999999999', '-10', '10.5', ['10', '10']]) {
      expect(() => parse({ limit })).toThrow('limit must be a whole number from 1 to 100');
    }
    expect(parse({ limit: '50' }, ShortPageQuery).limit).toBe(50);
    expect(() => parse({ limit: '51' }, ShortPageQuery)).toThrow(
      'limit must be a whole number from 1 to 50',
    );
  });

  it('should accept nothing but whole numbers within the bounds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.anything()), (page) => {
        try {
          const parsed = parse({ page });
          expect(Number.isInteger(parsed.page) && parsed.page >= 1).toBe(true);
        } catch (error) {
          expect((error as Error).message).toBe('page must be a whole number from 1 to 999999999');
        }
      }),
    );
  });
});

describe('skipOf', () => {
  it.each([
    [{ page: 1, limit: 10 }, 0],
    [{ page: 2, limit: 10 }, 10],
    [{ page: 3, limit: 7 }, 14],
    [{ page: 999_999_999, limit: 100 }, 99_999_999_800],
  ])('should be of %j: %i', (page, skip) => {
    expect(skipOf(page)).toBe(skip);
  });
});
