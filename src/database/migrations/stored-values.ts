import { Types } from 'mongoose';
import type { StoredRecord } from './update-records.js';

/** @returns null for what is no text */
export function storedText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** @returns null for what is no time; Go's zero time, in the year 1, is none */
export function storedTime(value: unknown): Date | null {
  return value instanceof Date && value.getTime() > 0 ? value : null;
}

/** @returns null for what is no id */
export function storedId(value: unknown): Types.ObjectId | null {
  return value instanceof Types.ObjectId ? value : null;
}

/** When a record was made: what it says, else what its id says; always after the epoch. */
export function creationTime({ _id, createdAt }: StoredRecord): Date {
  return storedTime(createdAt) ?? storedTime(storedId(_id)?.getTimestamp()) ?? new Date(1);
}
