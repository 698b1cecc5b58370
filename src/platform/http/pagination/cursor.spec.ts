import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { encodeCursor, parseCursor } from './cursor.js';

const at = new Date('2026-01-02T03:04:05.678Z');
const id = new Types.ObjectId('66f1a2b3c4d5e6f708192a3b');

const toBase64url = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

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
    ['truncated JSON', toBase64url('{"v":1')],
    ['a number', toBase64url(1)],
    ['null', toBase64url('null')],
    ['a list', toBase64url([1])],
    ['another version', toBase64url({ ...FIELDS, v: 2 })],
    ['a missing version', toBase64url({ at: FIELDS.at, id: FIELDS.id })],
    ['an additional field', toBase64url({ ...FIELDS, x: 1 })],
    ['fields in another order', toBase64url({ at: FIELDS.at, v: 1, id: FIELDS.id })],
    ['a blank after the JSON', toBase64url(`${JSON.stringify(FIELDS)} `)],
    ['a time that is a text', toBase64url({ ...FIELDS, at: '1' })],
    ['a fraction', toBase64url({ ...FIELDS, at: 1.5 })],
    ['a time out of range', toBase64url({ ...FIELDS, at: 8.64e15 + 2 })],
    ['an operator', toBase64url({ ...FIELDS, at: { $gt: '' } })],
    ['an invalid id', toBase64url({ ...FIELDS, id: 'x' })],
    ['an id in capitals', toBase64url({ ...FIELDS, id: FIELDS.id.toUpperCase() })],
    ['padding', `${encodeCursor({ at, id })}=`],
    ['a text that is too long', 'A'.repeat(201)],
  ])('should refuse %s', (_what, text) => {
    expect(parseCursor(text)).toBeNull();
  });
});
