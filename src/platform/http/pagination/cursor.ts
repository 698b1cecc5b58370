import { Types } from 'mongoose';
import { OBJECT_ID_PATTERN } from '../object-id/object-id.param.js';

/** Sort key of the last item of a page, for keyset pagination by time and id. */
export interface Cursor {
  readonly at: Date;
  readonly id: Types.ObjectId;
}

const VERSION = 1;

/** Longest text that is parsed, in characters. An encoded cursor is shorter. */
const MAX_LENGTH = 200;

/** Largest time value of a Date in milliseconds (ECMAScript, section 21.4.1.1). */
const MAX_TIME = 8.64e15;

/** @returns base64url of `{v, at, id}`, opaque to clients */
export function encodeCursor({ at, id }: Cursor): string {
  const fields = { v: VERSION, at: at.getTime(), id: id.toHexString() };
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** @returns null for every text that `encodeCursor` would not produce */
export function parseCursor(text: string): Cursor | null {
  if (text.length > MAX_LENGTH) return null;
  const fields = fieldsOf(text);
  if (!fields || typeof fields['at'] !== 'number' || typeof fields['id'] !== 'string') return null;
  const { at, id } = fields;
  if (!Number.isInteger(at) || Math.abs(at) > MAX_TIME || !OBJECT_ID_PATTERN.test(id)) return null;
  const cursor = { at: new Date(at), id: new Types.ObjectId(id) };
  return encodeCursor(cursor) === text ? cursor : null;
}

function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
