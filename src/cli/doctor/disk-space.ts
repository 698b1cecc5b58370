import { fail, ok, warn, type Finding } from './check.js';

const MEGABYTE = 1024 * 1024;
/** Free bytes below which the check fails, because an embedded database would not start again. */
const FAIL_BELOW_BYTES = 64 * MEGABYTE;
/** Free bytes below which the check warns. */
const WARN_BELOW_BYTES = 1024 * MEGABYTE;

export function diskSpace(free: number): Finding {
  const text = `${Math.floor(free / MEGABYTE).toLocaleString('en')} MB free`;
  if (free < FAIL_BELOW_BYTES) return fail(`Only ${text}: free some space, or writes fail.`);
  if (free < WARN_BELOW_BYTES) return warn(`Only ${text}: free some space soon.`);
  return ok(text);
}
