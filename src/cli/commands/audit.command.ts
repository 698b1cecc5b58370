import { InvalidArgumentError, type Command } from 'commander';
import { AuditListService } from '../../events/audit/list/audit-list.service.js';
import type { AuditView } from '../../events/audit/list/audit.view.js';
import {
  AuditVerifier,
  FAULTS,
  type AuditReport,
  type LoggedSeal,
} from '../../events/audit/seals/audit-verifier.service.js';
import { STDOUT, writeChunks, writeOutput } from '../../transfer/output-file.js';
import { parseTime } from '../command-line/arguments.js';
import { addExamples } from '../command-line/examples.js';
import { ExitCode } from '../command-line/exit-code.js';
import { printResult } from '../command-line/output.js';
import { recordAct, withApp } from '../command-line/with-app.js';

interface ExportOptions {
  readonly from?: Date;
  readonly to?: Date;
  readonly output: string;
}

/** Adds `pressroom audit …`, for the audit log. */
export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('verify the audit log, or write it to a file');
  addVerify(audit);
  addExport(audit);
}

function addVerify(audit: Command): void {
  const verify = audit
    .command('verify')
    .description('find records of the audit log that were changed, removed or added')
    .option('--seal <number:mac>', 'a seal of the server log, which must be there', parseSeal)
    .action(async ({ seal }: { seal?: LoggedSeal }, command: Command) => {
      const report = await withApp((app) => app.get(AuditVerifier).verify(seal));
      printResult(command, report, reportLines(report));
      if (report.findings.length > 0) process.exitCode = ExitCode.FAILED;
      else if (report.unchecked.length > 0) process.exitCode = ExitCode.LEFT_TO_OPERATOR;
    });
  addExamples(verify, 'audit verify', 'audit verify --seal 12:tJYx…');
}

function addExport(audit: Command): void {
  const command = audit
    .command('export')
    .description('write the audit log as JSON lines, oldest first')
    .option('--from <date>', 'only acts at this time or later', parseTime)
    .option('--to <date>', 'only acts before this time', parseTime)
    .option('--output <file>', `the new file; ${STDOUT} is the standard output`, STDOUT)
    .action(async ({ from, to, output: file }: ExportOptions, self: Command) => {
      let records = 0;
      await withApp(async (app) => {
        await recordAct(app, 'data.exported', { format: 'audit' });
        const views = app.get(AuditListService).stream({ from, to });
        const lines = linesOf(views, () => (records += 1));
        await writeOutput(file, (output) => writeChunks(lines, output));
      });
      if (file === STDOUT) return;
      printResult(self, { file, records }, [`Exported: ${records} records to ${file}`]);
    });
  addExamples(
    command,
    'audit export --output audit.jsonl',
    'audit export --from 2030-01-01 --to 2030-02-01 | gzip > january.jsonl.gz',
  );
}

async function* linesOf(views: AsyncIterable<AuditView>, onRecord: () => void) {
  for await (const view of views) {
    yield `${JSON.stringify(view)}\n`;
    onRecord();
  }
}

function parseSeal(text: string): LoggedSeal {
  const [, number, mac] = /^(\d{1,9}):([\w-]{43})$/.exec(text) ?? [];
  if (number !== undefined && mac !== undefined) return { number: Number(number), mac };
  throw new InvalidArgumentError('It must be a number, a colon and a MAC, as the log has them.');
}

function reportLines({ seals, records, unsealed, newest, findings, unchecked }: AuditReport) {
  return [
    `Seals: ${seals}, for ${records} records; not sealed yet: ${unsealed}`,
    ...(newest ? [`Newest seal: ${newest.number}:${newest.mac}`] : []),
    ...(unchecked.length > 0
      ? [`Under a signing key that is not configured any more: ${unchecked.join(', ')}`]
      : []),
    ...(findings.length > 0 ? ['What does not hold:'] : ['Everything that can be checked holds.']),
    ...findings.map(({ seal, fault }) => `  seal ${seal}: ${FAULTS[fault]}`),
  ];
}
