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

  it('should give the same request the same id and hash, and a missing body those of {}', () => {
    expect(of()).toEqual(of());
    expect(of({ body: undefined })).toEqual(of({ body: {} }));
  });

  it.each([
    { route: 'POST /x' },
    { caller: { user: 'v' } },
    { caller: { apiKey: 'u' } },
    { key: 'l' },
  ])('should give another id for %j', (change) => {
    expect(of(change)._id).not.toEqual(of()._id);
    expect(of(change).requestHash).not.toBe(of().requestHash);
  });

  it.each([{ body: { a: 2 } }, { params: { id: '1' } }])(
    'should give the same id and another hash for %j, but without a user another id',
    (change) => {
      expect(of(change)._id).toEqual(of()._id);
      expect(of(change).requestHash).not.toBe(of().requestHash);
      const caller = { apiKey: 'a' };
      expect(of({ caller, ...change })._id).not.toEqual(of({ caller })._id);
    },
  );
});
