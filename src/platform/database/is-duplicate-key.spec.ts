import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { isDuplicateKey } from './is-duplicate-key.js';

const { MongoServerError } = mongoose.mongo;

function duplicate(keyPattern?: Record<string, number>): Error {
  return new MongoServerError({ message: 'E11000', code: 11_000, keyPattern });
}

describe('isDuplicateKey', () => {
  it('should be true for a write that violates a unique index', () => {
    expect(isDuplicateKey(duplicate({ email: 1 }))).toBe(true);
    expect(isDuplicateKey(duplicate())).toBe(true);
  });

  it('should distinguish indexes by a path', () => {
    expect(isDuplicateKey(duplicate({ email: 1 }), 'email')).toBe(true);
    expect(isDuplicateKey(duplicate({ email: 1, status: 1 }), 'status')).toBe(true);
    expect(isDuplicateKey(duplicate({ email: 1 }), 'slugs')).toBe(false);
    expect(isDuplicateKey(duplicate({ email: 1 }), 'toString')).toBe(false);
    expect(isDuplicateKey(duplicate(), 'email')).toBe(false);
  });

  it.each([
    ['another code', new MongoServerError({ message: 'E112', code: 112 })],
    ['an error of another class', Object.assign(new Error('E11000'), { code: 11_000 })],
    ['a plain object', { code: 11_000, keyPattern: { email: 1 } }],
    ['nothing', undefined],
    ['null', null],
  ])('should be false for %s', (_what, error) => {
    expect(isDuplicateKey(error)).toBe(false);
    expect(isDuplicateKey(error, 'email')).toBe(false);
  });
});
