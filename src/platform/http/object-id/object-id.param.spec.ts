import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { parseInput } from '../input/parse-input.js';
import { ObjectIdParam } from './object-id.param.js';

it.each(['66f1a2b3c4d5e6f708192a3b', '66F1A2B3C4D5E6F708192A3B', '0'.repeat(24)])(
  'should accept the id %s, and convert it to lower case',
  (text) => {
    const { id } = parseInput({ id: text }, { type: 'param', metatype: ObjectIdParam }) as {
      id: unknown;
    };
    expect(String(id)).toBe(text.toLowerCase());
  },
);
