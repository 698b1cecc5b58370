import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidBodyError } from '../errors/api.errors.js';
import { parseInput } from '../input/parse-input.js';
import { Flag } from './flag.decorator.js';
import { Text, TextList, textProblem } from './text.decorator.js';

class Sample {
  @Text({ min: 3, max: 5, example: 'abc' })
  readonly required!: string;

  @Text({ min: 1, max: 5, example: 'a', optional: true })
  readonly optional?: string;

  @Text({ min: 1, max: 5, example: 'a', trim: false, optional: true })
  readonly exact?: string;

  @TextList({ min: 1, max: 3, maxItems: 2, example: ['a'], optional: true })
  readonly list?: readonly string[];

  @Flag({ optional: true })
  readonly flag?: boolean;
}

function parse(body: object): Sample {
  return parseInput({ required: 'abc', ...body }, { type: 'body', metatype: Sample }) as Sample;
}

/** @returns the field and the message of each error */
function errorsOf(body: object): (readonly [string, string])[] {
  try {
    parse(body);
  } catch (error) {
    if (!(error instanceof InvalidBodyError)) throw error;
    const { errors = [] } = error.getResponse();
    return errors.map(({ field, message }) => [field, message]);
  }
  return [];
}

describe('textProblem', () => {
  const BOUNDS = { min: 2, max: 4 };

  it.each([
    ['ab', null],
    ['abcd', null],
    ['a', 'must be 2 to 4 characters'],
    ['abcde', 'must be 2 to 4 characters'],
    // Each of these characters has two code units.
    ['𝒳', 'must be 2 to 4 characters'],
    ['𝒳𝒳𝒳𝒳', null],
    // A letter and its accent are two characters.
    ['e\u0301', null],
    ['\ue000\uffff', null],
    [undefined, 'is missing'],
    [Object('ab'), 'must be text'],
    ['a\uD800', 'must not contain unpaired surrogates'],
  ])('should report for %j: %s', (value, problem) => {
    expect(textProblem(value, BOUNDS)).toBe(problem);
  });

  it('should count like JSON Schema for any text and bounds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.nat(6),
        fc.nat(6),
        (text, min, more) => {
          fc.pre(!text.includes('\0') && text.isWellFormed());
          const { length } = Array.from(text);
          const fits = length >= min && length <= min + more;
          expect(textProblem(text, { min, max: min + more }) === null).toBe(fits);
        },
      ),
    );
  });
});

describe('@Text', () => {
  it('should trim before it counts, unless trim is false', () => {
    expect(parse({ required: '  abc \n' }).required).toBe('abc');
    expect(errorsOf({ required: '  a  ' })).toEqual([
      ['required', 'required must be 3 to 5 characters'],
    ]);
    expect(parse({ exact: ' a ' }).exact).toBe(' a ');
  });

  it('should accept a missing optional field, and refuse null', () => {
    expect(parse({})).not.toHaveProperty('optional', expect.anything());
    expect(errorsOf({ optional: null })).toEqual([['optional', 'optional is missing']]);
    expect(errorsOf({ required: undefined })).toEqual([['required', 'required is missing']]);
  });
});

describe('@TextList', () => {
  it('should trim each item', () => {
    expect(parse({ list: [' a ', 'b'] }).list).toEqual(['a', 'b']);
    expect(parse({ list: [] }).list).toEqual([]);
  });

  it('should report each invalid item under its own path', () => {
    expect(errorsOf({ list: ['', 'ok'] })).toEqual([
      ['list.0', 'list.0 must be 1 to 3 characters'],
    ]);
    expect(errorsOf({ list: ['long', 5] })).toEqual([
      ['list.0', 'list.0 must be 1 to 3 characters'],
      ['list.1', 'list.1 must be text'],
    ]);
    expect(errorsOf({ list: [['a'], null] })).toEqual([
      ['list.0', 'list.0 must be text'],
      ['list.1', 'list.1 is missing'],
    ]);
  });

  it('should not validate the items of a list that is too long', () => {
    expect(errorsOf({ list: Array(100_000).fill(5) })).toHaveLength(1);
  });
});

describe('@Flag', () => {
  it('should accept only true and false', () => {
    expect(parse({ flag: true }).flag).toBe(true);
    expect(parse({ flag: false }).flag).toBe(false);
    for (const value of ['true', 'false', 1, 0, null, [], {}]) {
      expect(errorsOf({ flag: value })).toEqual([['flag', 'flag must be true or false']]);
    }
  });
});
