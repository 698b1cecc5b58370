/**
 * How much is done. `reduced` is part of CI, `short` the default, and `long` takes hours. The faults and
 * what is checked are the same in all three.
 */
export type Form = 'reduced' | 'short' | 'long';

/** A promise of the server, held against what was measured. */
export interface Row {
  readonly promise: string;
  /** What was done to the servers or to the database. */
  readonly fault: string;
  /** The least or the most that is asked for. */
  readonly bar: string;
  readonly measured: string;
  readonly isKept: boolean;
  /** What shows that it is broken, a line each: printed when it is not kept. */
  readonly history?: readonly string[];
}

/**
 * By how much the times may be longer. CI runs on machines that others use as well: there a bar finds what
 * hangs, and the other two forms find what is slow.
 */
export const SLOWER: Readonly<Record<Form, number>> = { reduced: 10, short: 1, long: 1 };

/** Chooses a seed for the order of faults, or takes that of `FAULTS_SEED`, and prints it. */
export function chooseSeed(): number {
  const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
  console.error(`seed ${seed} (FAULTS_SEED=${seed} repeats the order of the faults)`);
  return seed;
}

export interface Fault {
  /** For `npm run faults -- NAME`. */
  readonly name: string;
  /** Whether CI runs it. */
  readonly isReduced: boolean;
  /** Whether none of its bars is shorter than what a busy machine adds: such programs run side by side. */
  readonly runsBesideOthers: boolean;
  /** Resolves to at least one row; what it starts, it ends. */
  readonly run: (form: Form) => Promise<readonly Row[]>;
}
