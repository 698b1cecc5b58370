import { availableParallelism } from 'node:os';
import type { Env } from './env.js';

/**
 * How many processes share the port. `auto` is one per core that this process may use; an embedded
 * database needs one of them for itself.
 *
 * @param cores as the system says
 */
export function workerCount(
  { WORKERS, MONGODB_URI }: Pick<Env, 'WORKERS' | 'MONGODB_URI'>,
  cores = availableParallelism(),
): number {
  if (WORKERS !== 'auto') return WORKERS;
  return Math.max(1, MONGODB_URI === undefined ? cores - 1 : cores);
}
