import type { Fault } from './program.ts';

/** In the order in which they run. */
export const FAULTS: readonly Fault[] = [];
