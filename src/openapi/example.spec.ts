import { describe, expect, it } from '@jest/globals';
import { exampleOf, type Schemas } from './example.js';

const SCHEMAS: Schemas = {
  Author: {
    type: 'object',
    properties: { name: { type: 'string', example: 'Ada' } },
  },
  Loose: { type: 'object', properties: { name: { type: 'string' } } },
};

const AUTHOR = { $ref: '#/components/schemas/Author' };

describe('exampleOf', () => {
  it.each([
    ['the example of the schema', { type: 'string', example: 'a' }, 'a'],
    ['an example that is false', { type: 'boolean', example: false }, false],
    ['the example of the referenced schema', AUTHOR, { name: 'Ada' }],
    ['a list of one item', { type: 'array', items: AUTHOR }, [{ name: 'Ada' }]],
    ['the only value of an enumeration', { type: 'string', enum: ['OK'] }, 'OK'],
    [
      'an object of the examples of its properties',
      { properties: { author: AUTHOR, status: { enum: [200] } } },
      { author: { name: 'Ada' }, status: 200 },
    ],
  ])('should return %s', (_what, schema, example) => {
    expect(exampleOf(schema, SCHEMAS)).toEqual(example);
  });

  it('should throw an error that names the part without an example, or the missing schema', () => {
    const list = { properties: { data: { items: { $ref: '#/components/schemas/Loose' } } } };
    expect(() => exampleOf(list, SCHEMAS, 'List')).toThrow(
      '#/components/schemas/Loose.name lacks an example',
    );
    expect(() => exampleOf({ enum: ['a', 'b'] }, SCHEMAS, 'Two')).toThrow('Two lacks an example');
    expect(() => exampleOf({ $ref: '#/components/schemas/None' }, SCHEMAS)).toThrow(
      '#/components/schemas/None is referred to and not described',
    );
  });
});
