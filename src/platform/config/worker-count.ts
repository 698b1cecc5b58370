import { availableParallelism } from 'node:os';
import type { Env } from './env.js';

/**
 * Returns the number of processes that share the port. `auto` means one process per core, but one process fewer
 * with the embedded database, and at least one.
 *
 * @param cores CPU cores that this process may use
 */
export function workerCount(
  { WORKERS, MONGODB_URI }: Pick<Env, 'WORKERS' | 'MONGODB_URI'>,
  cores = availableParallelism(),
): number {
  if (WORKERS !== 'auto') return WORKERS;
  return Math.max(1, MONGODB_URI === undefined ? cores - 1 : cores);
}
