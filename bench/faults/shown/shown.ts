import type { Fault, Row } from '../program.ts';
import { runOnce, type Run } from '../writes/run.ts';
import { zero } from '../report.ts';

/** Nothing unpublished is shown. Reads during the faults of `writes`, in the same run. */
export const SHOWN: Fault = {
  name: 'shown',
  isReduced: true,
  runsBesideOthers: false,
  async run(form) {
    const run = await runOnce(form);
    return shownRows(run, `${run.faults.length} faults`);
  },
};

/** @param all the faults of the run */
export function shownRows({ seen, published, seed }: Run, all: string): readonly Row[] {
  const during = `${all}, ${published.hidden.length} times unpublished`;
  return [
    zero('unpublished: gone at once', during, seen.afterAcknowledgement, seen.reads),
    zero('unpublished: elsewhere within 1 s', during, seen.elsewhere, seen.reads),
    zero('no draft is shown', during, seen.drafts, seen.reads),
  ].map((row) => ({ ...row, history: [`seed ${seed}`, ...row.history] }));
}
