import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requestIdOf } from './request-id.js';

/** A generated id: the random part of the process, and the counter. */
const NEW = /^[A-Za-z0-9_-]{12}-[0-9a-z]+$/;

function idFor(given: string | string[] | undefined): string {
  return requestIdOf({ headers: given === undefined ? {} : { 'x-request-id': given } });
}

describe('requestIdOf', () => {
  it.each(['a', '0', '-', '._-', 'A.b_C-9', 'x'.repeat(64)])(
    'should return the given id %s',
    (id) => {
      expect(idFor(id)).toBe(id);
    },
  );

  // The last test covers ids with any other character.
  it.each([undefined, '', 'x'.repeat(65), 'a\n', ['a'], ['a', 'b']])(
    'should generate an id instead of %j',
    (id) => {
      expect(idFor(id)).toMatch(NEW);
    },
  );

  it('should generate another id for each request', () => {
    const ids = Array.from({ length: 100 }, () => idFor(undefined));
    expect(new Set(ids).size).toBe(100);
  });

  it('should never return a character that is unsafe in a log or a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (given) => {
        expect(idFor(given)).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
      }),
    );
  });
});
