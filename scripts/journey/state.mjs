import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { UserError } from './user-error.mjs';

export function hashOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Holds the password of the run's author, hence readable by its owner alone. */
export function writeState(file, state) {
  writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

/** @throws UserError when the file is none of ours */
export function readState(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${error.message}`);
  }
}
