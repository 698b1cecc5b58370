import type { Finding } from '../support/findings.ts';

/**
 * How much of the programs runs. `reduced` is part of CI, `short` the default, and `long` takes
 * hours. The faults and the checks are the same in all three.
 */
export type Form = 'reduced' | 'short' | 'long';

/**
 * Factor by which times may be longer. CI runs on machines that others use as well: there a
 * threshold finds what hangs, and the other two forms find what is slow.
 */
export const SLOWER: Readonly<Record<Form, number>> = { reduced: 10, short: 1, long: 1 };

/** Chooses a seed for the order of faults, or takes that of `FAULTS_SEED`, and prints it. */
export function chooseSeed(): number {
  const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
  console.error(`seed ${seed} (FAULTS_SEED=${seed} repeats the order of the faults)`);
  return seed;
}

export interface Fault {
  /** The name for `npm run faults -- NAME`. */
  readonly name: string;
  /** Whether CI runs it. */
  readonly isReduced: boolean;
  /** Resolves to the findings, at least one, each about a promise. It ends everything that it starts. */
  readonly run: (form: Form) => Promise<readonly Finding[]>;
}
