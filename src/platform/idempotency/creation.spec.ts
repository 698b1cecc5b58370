import { describe, expect, it } from '@jest/globals';
import { creationOf, parseKey } from './creation.js';

describe('parseKey', () => {
  it.each([
    ['a', 'a'],
    ['~'.repeat(255), '~'.repeat(255)],
    ['"a b"', null],
    ['"ab"', 'ab'],
    ['"a\\"b\\\\"', 'a"b\\'],
    ['a"b', 'a"b'],
    ['a\\b', 'a\\b'],
    [`"${'\\\\'.repeat(255)}"`, '\\'.repeat(255)],
    [`"${'x'.repeat(256)}"`, null],
    ['""', null],
    ['a b', null],
    ['é', null],
  ])('should read %j as %j', (header, key) => {
    expect(parseKey(header)).toBe(key);
  });
});

describe('creationOf', () => {
  const REQUEST = {
    route: 'POST /contact',
    caller: { user: 'u' },
    key: 'k',
    params: {},
    body: { a: 1 },
  };
  const creationWith = (changes: object = {}) => creationOf({ ...REQUEST, ...changes });

  it('should distinguish a user from an API key with the same text', () => {
    const withApiKey = creationWith({ caller: { apiKey: 'u' } });
    expect(withApiKey._id).not.toEqual(creationWith()._id);
    expect(withApiKey.requestHash).not.toBe(creationWith().requestHash);
  });

  it('should derive another hash from other path parameters, and without a user another id as well', () => {
    const params = { id: '1' };
    expect(creationWith({ params })._id).toEqual(creationWith()._id);
    expect(creationWith({ params }).requestHash).not.toBe(creationWith().requestHash);
    const caller = { apiKey: 'a' };
    expect(creationWith({ caller, params })._id).not.toEqual(creationWith({ caller })._id);
  });
});
