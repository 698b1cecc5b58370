import { expect } from '@jest/globals';
import fc from 'fast-check';
import { executed, type ModelContext } from './run-command.js';

/** The number of concurrent series of runs. A run mostly waits for the disk, and has records of its own. */
const CONCURRENCY = 8;

interface Runs<Run, Start> {
  readonly count: number;
  /** What is drawn for a run in addition to its commands. */
  readonly start: fc.Arbitrary<Start>;
  readonly commands: fc.Arbitrary<Iterable<fc.AsyncCommand<ModelContext<Run>, null>>>;
  readonly begin: (start: Start) => Promise<Run>;
  /** The last checks of a run. */
  readonly end: (run: Run) => Promise<void>;
}

/** Checks a model in at least `count` runs. A failure shows the shrunk commands. */
export async function checkRuns<Run, Start>({
  count,
  start,
  commands,
  begin,
  end,
}: Runs<Run, Start>): Promise<void> {
  const commandsBefore = executed.commands;
  let finished = 0;
  let failed: number | null = null;
  const checkSeries = (series: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(start, commands, async (drawn, sequence) => {
        // One failure is reported; the other series stop while it is shrunk.
        if (failed !== null && failed !== series) return;
        try {
          const run = await begin(drawn);
          await fc.asyncModelRun(() => ({ model: { run }, real: null }), sequence);
          await end(run);
        } catch (error) {
          failed ??= series;
          throw error;
        }
        finished += 1;
      }),
      { numRuns: Math.ceil(count / CONCURRENCY) },
    );
  const allSeries = Array.from({ length: CONCURRENCY }, (_, series) => checkSeries(series));
  const outcomes = await Promise.allSettled(allSeries);
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  const commandCount = executed.commands - commandsBefore;
  process.stdout.write(
    `model: ${finished} runs, ${commandCount} commands, ${failures.length} failures\n`,
  );
  if (failures[0]) throw failures[0].reason;
  expect(finished).toBeGreaterThanOrEqual(count);
  // Fails if most commands were impossible, and the runs therefore empty.
  expect(commandCount).toBeGreaterThan(2 * finished);
}
