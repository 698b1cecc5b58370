import { Types } from 'mongoose';
import type { StoredRecord } from './update-records.js';

/** @returns null unless the value is a string */
export function storedText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** @returns null unless the value is a Date after the start of 1970; Go stores a missing time as year 1 */
export function storedTime(value: unknown): Date | null {
  return value instanceof Date && value.getTime() > 0 ? value : null;
}

/** @returns null unless the value is an ObjectId */
export function storedId(value: unknown): Types.ObjectId | null {
  return value instanceof Types.ObjectId ? value : null;
}

/** Creation time of a record: `createdAt`, else the time in its ObjectId, else the start of 1970 plus 1 ms. */
export function creationTime({ _id, createdAt }: StoredRecord): Date {
  return storedTime(createdAt) ?? storedTime(storedId(_id)?.getTimestamp()) ?? new Date(1);
}
