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

/** @param faults description of the faults of the run */
export function shownFindings({ seen, published, seed }: Run, faults: string): readonly Finding[] {
  const group = `${faults}, ${published.hidden.length} unpublications`;
  return [
    zero('no server shows what it unpublished', group, seen.afterAcknowledgement, seen.reads),
    zero('the other server shows it for at most 1 s', group, seen.elsewhere, seen.reads),
    zero('no draft is shown', group, seen.drafts, seen.reads),
  ].map((finding) => ({ ...finding, history: [`seed ${seed}`, ...finding.history] }));
}
