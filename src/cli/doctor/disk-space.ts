import { fail, ok, warn, type Finding } from './check.js';

const MEGABYTE = 1024 * 1024;
/** Free bytes below which the embedded database does not start. */
const FULL_BYTES = 64 * MEGABYTE;
/** Free bytes below which the check warns. */
const LITTLE_BYTES = 1024 * MEGABYTE;

export function diskSpace(free: number): Finding {
  const text = `${Math.floor(free / MEGABYTE).toLocaleString('en')} MB free`;
  if (free < FULL_BYTES) return fail(`Only ${text}: free some space, or writes fail.`);
  if (free < LITTLE_BYTES) return warn(`Only ${text}: free some space soon.`);
  return ok(text);
}
