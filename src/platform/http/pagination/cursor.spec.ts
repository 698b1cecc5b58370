import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { encodeCursor, parseCursor } from './cursor.js';

const at = new Date('2026-01-02T03:04:05.678Z');
const id = new Types.ObjectId('66f1a2b3c4d5e6f708192a3b');

const encoded = (fields: unknown): string =>
  Buffer.from(typeof fields === 'string' ? fields : JSON.stringify(fields)).toString('base64url');

const FIELDS = { v: 1, at: at.getTime(), id: id.toHexString() };

describe('parseCursor', () => {
  it.each([at, new Date(0), new Date(-1), new Date(8.64e15)])(
    'should read back what encodeCursor wrote for %p',
    (time) => {
      const text = encodeCursor({ at: time, id });
      expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(parseCursor(text)).toEqual({ at: time, id });
    },
  );

  it.each([
    ['an empty text', ''],
    ['a text that is not base64', '%%%'],
    ['truncated JSON', encoded('{"v":1')],
    ['a number', encoded(1)],
    ['null', encoded('null')],
    ['a list', encoded([1])],
    ['another version', encoded({ ...FIELDS, v: 2 })],
    ['a missing version', encoded({ at: FIELDS.at, id: FIELDS.id })],
    ['an additional field', encoded({ ...FIELDS, x: 1 })],
    ['fields in another order', encoded({ at: FIELDS.at, v: 1, id: FIELDS.id })],
    ['a blank after the JSON', encoded(`${JSON.stringify(FIELDS)} `)],
    ['a time that is a text', encoded({ ...FIELDS, at: '1' })],
    ['a fraction', encoded({ ...FIELDS, at: 1.5 })],
    ['a time out of range', encoded({ ...FIELDS, at: 8.64e15 + 2 })],
    ['an operator', encoded({ ...FIELDS, at: { $gt: '' } })],
    ['an invalid id', encoded({ ...FIELDS, id: 'x' })],
    ['an id in capitals', encoded({ ...FIELDS, id: FIELDS.id.toUpperCase() })],
    ['padding', `${encodeCursor({ at, id })}=`],
    ['a text that is too long', 'A'.repeat(201)],
  ])('should refuse %s', (_what, text) => {
    expect(parseCursor(text)).toBeNull();
  });
});
