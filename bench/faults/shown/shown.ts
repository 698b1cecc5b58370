import { zero, type Finding } from '../../support/findings.ts';
import type { Fault } from '../program.ts';
import { runOnce, type Run } from '../writes/run.ts';

/** Checks that no server shows anything unpublished. It shares its run with the program `writes`. */
export const SHOWN: Fault = {
  name: 'shown',
  isInReducedForm: true,
  async run(form) {
    const run = await runOnce(form);
    return shownFindings(run, `${run.faults.length} faults`);
  },
};

/** @param all description of all faults of the run */
export function shownFindings({ seen, published, seed }: Run, all: string): readonly Finding[] {
  const during = `${all}, ${published.hidden.length} times unpublished`;
  return [
    zero('gone at once where it was unpublished', during, seen.afterAcknowledgement, seen.reads),
    zero('gone from the other server within 1 s', during, seen.elsewhere, seen.reads),
    zero('no draft is shown', during, seen.drafts, seen.reads),
  ].map((finding) => ({ ...finding, history: [`seed ${seed}`, ...finding.history] }));
}
