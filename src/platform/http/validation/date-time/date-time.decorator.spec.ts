import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { parseInput } from '../../input/parse-input.js';
import { DateTime } from './date-time.decorator.js';

class Sample {
  @DateTime({ description: 'When' })
  readonly at?: Date | null;

  @DateTime({ description: 'When', nullable: false })
  readonly neverNull?: Date;
}

function parse(at: unknown): unknown {
  const sample = parseInput({ at }, { type: 'body', metatype: Sample }) as Sample;
  return sample.at;
}

describe('@DateTime', () => {
  it.each([
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
    ['2030-01-01T00:00:00.123Z', '2030-01-01T00:00:00.123Z'],
    ['2030-01-01T02:00:00+02:00', '2030-01-01T00:00:00.000Z'],
    ['2030-01-01T00:00:00-0530', '2030-01-01T05:30:00.000Z'],
    ['1000-01-01T00:00:00Z', '1000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['2028-02-29T12:00Z', '2028-02-29T12:00:00.000Z'],
  ])('should read %s', (text, iso) => {
    expect((parse(text) as Date).toISOString()).toBe(iso);
  });

  it('should accept null and a missing field', () => {
    expect(parse(null)).toBeNull();
    expect(parse(undefined)).toBeUndefined();
  });

  it('should refuse null, but not a missing field, if nullable is false', () => {
    const parseNeverNull = (neverNull: unknown): unknown =>
      parseInput({ neverNull }, { type: 'body', metatype: Sample });
    expect(() => parseNeverNull(null)).toThrow('neverNull must be a point in time');
    expect(parseNeverNull(undefined)).toEqual(new Sample());
  });

  it.each([
    '',
    'tomorrow',
    '2030-01-01',
    '2030-01-01T00:00:00',
    '2030-01-01 00:00:00Z',
    '2030-02-30T00:00:00Z',
    '0999-12-31T23:59:59Z',
    '2030-01-01T25:00:00Z',
    'Tue, 01 Jan 2030 00:00:00 GMT',
    1_893_456_000_000,
    {},
  ])('should refuse %j', (value) => {
    expect(() => parse(value)).toThrow('at must be a point in time such as 2030-01-01T00:00:00Z');
  });
});
