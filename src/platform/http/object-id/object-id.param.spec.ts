import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { parseInput } from '../input/parse-input.js';
import { ObjectIdParam } from './object-id.param.js';

function parse(id: unknown): unknown {
  const param = parseInput({ id }, { type: 'param', metatype: ObjectIdParam });
  return (param as ObjectIdParam).id;
}

describe('ObjectIdParam', () => {
  it.each(['66f1a2b3c4d5e6f708192a3b', '66F1A2B3C4D5E6F708192A3B', '0'.repeat(24)])(
    'should read %s',
    (id) => {
      expect(parse(id)).toBeInstanceOf(Types.ObjectId);
      expect(String(parse(id))).toBe(id.toLowerCase());
    },
  );

  it.each([
    '',
    '66f1a2b3c4d5e6f708192a3',
    '66f1a2b3c4d5e6f708192a3bb',
    '66f1a2b3c4d5e6f708192a3g',
    '66f1a2b3c4d5e6f708192a3b\n',
    // The driver would accept twelve characters as an id.
    'twelve chars',
    ' 66f1a2b3c4d5e6f708192a3b',
    '66f1a2b3-c4d5-e6f7-0819-2a3b00000000',
    undefined,
    null,
    5,
    ['66f1a2b3c4d5e6f708192a3b'],
    { $ne: '' },
  ])('should refuse %j', (id) => {
    expect(() => parse(id)).toThrow('id must be 24 hexadecimal characters');
  });
});
