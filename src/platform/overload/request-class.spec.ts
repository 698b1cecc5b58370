import { describe, expect, it } from '@jest/globals';
import {
  classOfRoute,
  isExpensiveList,
  type ClassByRoute,
  type RequestClass,
} from './request-class.js';

const LISTED: ClassByRoute = {
  'GET /health': null,
  'GET /health/live': null,
  'GET /blogs/search': 'costly-read',
  'POST /auth/signin/basic': 'sign-in',
};

describe('classOfRoute', () => {
  it.each<[method: string, url: string, expected: RequestClass | null]>([
    ['GET', '/blogs/latest', 'read'],
    ['HEAD', '/blogs/latest', 'read'],
    ['GET', '/blog/author/drafts', 'read'],
    ['GET', '/blogs/search', 'costly-read'],
    ['HEAD', '/blogs/search', 'costly-read'],
    ['POST', '/contact', 'write'],
    ['DELETE', '/blog/author/id/:id', 'write'],
    ['POST', '/auth/signin/basic', 'sign-in'],
    ['GET', '/health/live', null],
    ['HEAD', '/health', null],
  ])('should return for %s %s the class %s', (method, url, expected) => {
    expect(classOfRoute({ method, url }, LISTED)).toBe(expected);
  });
});

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
  ])('should tell of %j: %s', (query, expected) => {
    expect(isExpensiveList(query)).toBe(expected);
  });
});
