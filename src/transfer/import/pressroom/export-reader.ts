import { createReadStream } from 'node:fs';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { FORMAT, FORMAT_VERSION, parseLine, type ExportHeader } from '../../export/record-line.js';
import { explainErrors } from '../../output-file.js';
import type { CheckedRecord, RecordCheck } from './record-check.js';

/**
 * Largest allowed number of characters in a line. Every record fits, because MongoDB stores documents of
 * at most 16 MB.
 */
const LINE_MAX = 64 * 1024 * 1024;

/**
 * Reads and checks the records of an export.
 *
 * @throws OperatorError that names the first line which this version would not have written
 */
export async function* readExport(file: string, check: RecordCheck): AsyncGenerator<CheckedRecord> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    const record = await withLineNumber(number, () => {
      const value = parseLine(line);
      return number === 1 ? checkHeader(value) : check.check(value);
    });
    if (record !== null) yield record;
  }
  if (number === 0) throw new OperatorError(`${file} is empty: name an export of Pressroom.`);
}

/** Runs an action, and turns an error into an OperatorError that names the line. */
async function withLineNumber<Result>(
  number: number,
  action: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`Line ${number} cannot be imported: ${reason}.`, { cause: error });
  }
}

/**
 * Checks the header.
 *
 * @returns null, because the header is no record
 */
function checkHeader(value: unknown): null {
  const { format, formatVersion } = (value ?? {}) as Partial<ExportHeader>;
  if (format !== FORMAT) throw new Error('it is not the first line of an export of Pressroom');
  if (formatVersion !== FORMAT_VERSION) {
    const supported = `this version reads ${FORMAT_VERSION}`;
    throw new Error(`the export has the format version ${String(formatVersion)}, and ${supported}`);
  }
  return null;
}

/** Reads the lines of a file. Only a line feed ends a line: a text may contain other line separators of Unicode. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, { encoding: 'utf8', highWaterMark: 262_144 });
  let rest = '';
  try {
    for await (const chunk of input as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > LINE_MAX) throw new OperatorError(`${file} has a line without an end.`);
    }
  } catch (error) {
    await explainErrors(file, () => Promise.reject(error as Error));
  }
  if (rest !== '') {
    throw new OperatorError(`${file} ends within a line: it was not copied as a whole.`);
  }
}
