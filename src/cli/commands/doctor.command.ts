import type { Command } from 'commander';
import { addExamples } from '../command-line/examples.js';
import { ExitCode } from '../command-line/exit-code.js';
import { columns, printResult } from '../command-line/output.js';
import type { CheckResult } from '../doctor/check.js';
import { diagnose } from '../doctor/doctor.js';

const EXIT_CODES: Readonly<Record<CheckResult, ExitCode>> = {
  ok: ExitCode.DONE,
  warn: ExitCode.LEFT_TO_OPERATOR,
  fail: ExitCode.FAILED,
};

/** Adds `pressroom doctor`, which says what is wrong with the installation, and what to do. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'check settings, keys, disk, database, mail and pictures, and say what to do; changes nothing',
    )
    .action(async (_options: unknown, self: Command) => {
      const checks = await diagnose(program.version() ?? '');
      const results = checks.map(({ result }) => result);
      const worst = (['fail', 'warn'] as const).find((result) => results.includes(result)) ?? 'ok';
      printResult(
        self,
        { result: worst, checks },
        columns(checks.map(({ result, name, message }) => [result.padEnd(4), name, message])),
      );
      process.exitCode = EXIT_CODES[worst];
    });
  addExamples(command, 'doctor', 'doctor --json');
}
