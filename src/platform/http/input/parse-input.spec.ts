import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ObjectIdParam } from '../object-id/object-id.param.js';
import { Text } from '../validation/text.decorator.js';
import { BadParameterError, InvalidBodyError } from '../errors/api.errors.js';
import { NullableBody, parseInput } from './parse-input.js';

class Names {
  @Text({ min: 1, max: 5, example: 'a' })
  readonly first!: string;

  @Text({ min: 1, max: 5, example: 'a', optional: true })
  readonly last?: string;
}

class MoreNames extends Names {
  @Text({ min: 1, max: 5, example: 'a', optional: true })
  readonly middle?: string;
}

@NullableBody()
class Remark {
  @Text({ min: 1, max: 5, example: 'a', optional: true })
  readonly remark?: string;
}

function body(value: unknown, metatype: new () => object = Names): Record<string, unknown> {
  return parseInput(value, { type: 'body', metatype }) as Record<string, unknown>;
}

describe('parseInput', () => {
  it('should return an instance of the class with its declared fields only', () => {
    const names = body({ first: 'Ada', extra: 1, status: true, $where: '1', 'first.x': 2 });
    expect(names).toBeInstanceOf(Names);
    expect(Object.keys(names).filter((key) => names[key] !== undefined)).toEqual(['first']);
  });

  it('should keep fields that a superclass declares', () => {
    expect(body({ first: 'Ada', middle: 'M' }, MoreNames)).toMatchObject({
      first: 'Ada',
      middle: 'M',
    });
  });

  it('should read only own properties of the value', () => {
    const inherited = Object.create({ first: 'Ada' }) as object;
    expect(() => body(inherited)).toThrow(InvalidBodyError);
    const polluted = JSON.parse('{"first":"Ada","__proto__":{"last":"x"}}') as object;
    expect(body(polluted)['last']).toBeUndefined();
    expect(({} as Record<string, unknown>)['last']).toBeUndefined();
  });

  it('should treat a missing body as an empty one', () => {
    for (const value of [undefined, {}]) {
      expect(() => body(value)).toThrow('validation error: first is missing');
    }
    expect(body(null, Remark)).toEqual(new Remark());
  });

  it.each([['text'], [1], [false], [[]], [null]])(
    'should refuse the body %j, which is no object',
    (value) => {
      expect(() => body(value)).toThrow('the body must be a JSON object');
    },
  );

  it.each(['param', 'query'] as const)('should report an invalid %s with 400', (type) => {
    const error = thrown(() => parseInput({ id: 'x' }, { type, metatype: ObjectIdParam }));
    expect(error).toBeInstanceOf(BadParameterError);
    expect((error as Error).message).toBe('id must be 24 hexadecimal characters');
  });

  it('should refuse several values and the bracket notation of a declared parameter, and ignore other names', () => {
    const query = (value: object): unknown => parseInput(value, { type: 'query', metatype: Names });
    expect(() => query({ first: ['Ada', 'Ida'] })).toThrow('give first once');
    for (const key of ['first[$gt]', 'first[]', 'last[a][b]', 'first[']) {
      expect(() => query({ first: 'Ada', [key]: 'x' })).toThrow('must be a single value');
    }
    expect(query({ first: 'Ada', 'other[$gt]': 'x', firstly: 'x' })).toMatchObject({
      first: 'Ada',
    });
  });

  it('should return the value unchanged when the class declares no fields', () => {
    for (const metatype of [String, Object, Array, undefined, class {}]) {
      const value = { anything: 1 };
      expect(parseInput(value, { type: 'body', ...(metatype ? { metatype } : {}) })).toBe(value);
    }
  });
});

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
