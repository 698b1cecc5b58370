import { readFileSync } from 'node:fs';

/** The flags with which Node runs the server, for starts without npm. */
export const NODE_FLAGS = readFileSync(new URL('../node-flags.txt', import.meta.url), 'utf8')
  .trim()
  .split(/\s+/);
