/**
 * `npm run faults` checks what the server promises for the case that something breaks. Each program starts its own
 * servers and databases on loopback, breaks them, and compares its measurements with thresholds. If a promise is
 * broken, the history that shows it is printed.
 */
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { UserError } from '../scripts/support/user-error.ts';
import type { Fault, Form } from './faults/program.ts';
import { CLOCKS } from './faults/clocks/clocks.ts';
import { FAIRNESS } from './faults/overload/fairness.ts';
import { OVERLOAD } from './faults/overload/overload.ts';
import { READS } from './faults/reads/reads.ts';
import { ROLLING_RESTARTS } from './faults/restarts/restarts.ts';
import { SHOWN } from './faults/shown/shown.ts';
import { UPGRADE } from './faults/upgrade/upgrade.ts';
import { WRITES } from './faults/writes/writes.ts';
import { report, type Finding } from './support/findings.ts';
import { cleanUp, runProgram } from './support/program.ts';

/** The programs run in this order. */
const FAULTS: readonly Fault[] = [
  UPGRADE,
  WRITES,
  SHOWN,
  READS,
  ROLLING_RESTARTS,
  CLOCKS,
  OVERLOAD,
  FAIRNESS,
];
const NAMES = FAULTS.map(({ name }) => name);
const USAGE = `npm run faults -- [NAME …] [--long | --reduced]

  NAME       these programs only: ${NAMES.join(', ')}
  --long     in full, for hours
  --reduced  what CI runs`;

await runProgram(USAGE, async (args) => {
  const { form, names } = optionsOf(args);
  buildIfStale();
  const chosen = FAULTS.filter(({ name, isInReducedForm }) =>
    names.length > 0 ? names.includes(name) : form !== 'reduced' || isInReducedForm,
  );
  const findings: Finding[] = [];
  for (const fault of chosen) {
    findings.push(...(await timed(fault, form)));
    // Even idle servers and databases would take processor time from the next program.
    await cleanUp();
  }
  report(findings, 'promise');
});

async function timed({ name, run }: Fault, form: Form): Promise<readonly Finding[]> {
  const startedAt = performance.now();
  console.error(`${name} …`);
  const findings = await run(form);
  console.error(`${name}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  return findings;
}

function optionsOf(args: readonly string[]): { form: Form; names: readonly string[] } {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const flags = args.filter((arg) => arg.startsWith('--'));
  const unknown = [
    ...names.filter((name) => !NAMES.includes(name)),
    ...flags.filter((flag) => flag !== '--long' && flag !== '--reduced'),
  ];
  if (unknown.length > 0 || flags.length > 1) throw new UserError(USAGE);
  const form = flags[0] === '--long' ? 'long' : flags[0] === '--reduced' ? 'reduced' : 'short';
  return { form, names };
}
