import { availableParallelism } from 'node:os';
import type { Env } from './env.js';

/**
 * The number of processes that share the port. `auto` means one per core, less one core if the embedded
 * database is used.
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
