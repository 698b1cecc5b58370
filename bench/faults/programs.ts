import type { Fault } from './program.ts';
import { CLOCKS } from './clocks/clocks.ts';
import { DISK } from './disk/disk.ts';
import { FAIRNESS } from './fairness/fairness.ts';
import { LEAKS } from './leaks/leaks.ts';
import { OVERLOAD } from './overload/overload.ts';
import { READS } from './reads/reads.ts';
import { ROLLING_RESTARTS } from './restarts/restarts.ts';
import { SHOWN } from './shown/shown.ts';
import { UPGRADE } from './upgrade/upgrade.ts';
import { WRITES } from './writes/writes.ts';

/** In the order in which they begin. The upgrade builds a version first, and the disk waits for that. */
export const FAULTS: readonly Fault[] = [
  ...[UPGRADE, DISK],
  ...[WRITES, SHOWN, READS, ROLLING_RESTARTS],
  ...[LEAKS, CLOCKS, OVERLOAD, FAIRNESS],
];
