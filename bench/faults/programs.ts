import type { Fault } from './program.ts';
import { CLOCKS } from './clocks/clocks.ts';
import { FAIRNESS } from './fairness/fairness.ts';
import { OVERLOAD } from './overload/overload.ts';
import { READS } from './reads/reads.ts';
import { ROLLING_RESTARTS } from './restarts/restarts.ts';
import { SHOWN } from './shown/shown.ts';
import { UPGRADE } from './upgrade/upgrade.ts';
import { WRITES } from './writes/writes.ts';

/** In the order in which they run. */
export const FAULTS: readonly Fault[] = [
  UPGRADE,
  WRITES,
  SHOWN,
  READS,
  ROLLING_RESTARTS,
  CLOCKS,
  OVERLOAD,
  FAIRNESS,
];
