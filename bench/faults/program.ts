import type { Finding } from '../support/findings.ts';

/**
 * How long the programs run. `reduced` is a part of CI, `short` is the default, and `long` takes hours. All three
 * use the same kinds of faults and the same checks.
 */
export type Form = 'reduced' | 'short' | 'long';

/**
 * Factor by which times may exceed their thresholds. CI runs on shared machines: there a threshold finds only what
 * hangs, and the other two forms find what is slow.
 */
export const SLOWDOWN: Readonly<Record<Form, number>> = { reduced: 10, short: 1, long: 1 };

/** @returns the seed for the order of faults, from `FAULTS_SEED` or chosen at random; it is also printed */
export function chooseSeed(): number {
  const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
  console.error(`seed ${seed} (FAULTS_SEED=${seed} repeats the order of the faults)`);
  return seed;
}

export interface Fault {
  /** The name for `npm run faults -- NAME`. */
  readonly name: string;
  /** Whether the reduced form, which CI runs, includes it. */
  readonly isInReducedForm: boolean;
  /** Returns at least one finding, each about something that the server promises. Ends everything that it starts. */
  readonly run: (form: Form) => Promise<readonly Finding[]>;
}
