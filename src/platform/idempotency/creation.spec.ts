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
  const of = (changes: object = {}) => creationOf({ ...REQUEST, ...changes });

  it('should distinguish a user from an API key with the same text', () => {
    const ofKey = of({ caller: { apiKey: 'u' } });
    expect(ofKey._id).not.toEqual(of()._id);
    expect(ofKey.requestHash).not.toBe(of().requestHash);
  });

  it('should distinguish another path by the hash, and without a user by the id as well', () => {
    const params = { id: '1' };
    expect(of({ params })._id).toEqual(of()._id);
    expect(of({ params }).requestHash).not.toBe(of().requestHash);
    const caller = { apiKey: 'a' };
    expect(of({ caller, params })._id).not.toEqual(of({ caller })._id);
  });
});
