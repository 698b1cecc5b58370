import type { Fault } from '../program.ts';
import { runOnce } from '../writes/run.ts';
import { zero } from '../report.ts';

/** Nothing unpublished is shown. Reads during the faults of `writes`, in the same run. */
export const SHOWN: Fault = {
  name: 'shown',
  isReduced: true,
  async run(form) {
    const { seen, faults, published, seed } = await runOnce(form);
    const { hidden } = published;
    const all = `${faults.length} faults, ${hidden.length} times unpublished`;
    return [
      zero('unpublished: gone at once', all, seen.afterAcknowledgement, seen.reads),
      zero('unpublished: elsewhere within 1 s', all, seen.elsewhere, seen.reads),
      zero('no draft is shown', all, seen.drafts, seen.reads),
    ].map((row) => ({ ...row, history: [`seed ${seed}`, ...row.history] }));
  },
};
