import { describe, expect, it } from '@jest/globals';
import { isExpensiveList } from './request-class.js';

describe('isExpensiveList', () => {
  it.each<[query: Record<string, unknown>, expected: boolean]>([
    [{}, false],
    [{ total: 'true' }, true],
    [{ total: 'false', page: '2' }, false],
    [{ page: '1001' }, false],
    [{ page: '1002' }, true],
    [{ page: '101', limit: '100' }, false],
    [{ page: '102', limit: '100' }, true],
    [{ page: 'x', limit: ['1', '2'] }, false],
  ])('should be, for %j, %s', (query, expected) => {
    expect(isExpensiveList(query)).toBe(expected);
  });
});
