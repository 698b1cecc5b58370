import { OperatorError } from '../../../platform/config/operator.error.js';
import { FORMAT, FORMAT_VERSION, parseLine, type ExportHeader } from '../../export/record-line.js';
import type { InputFile } from '../../input-file.js';
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
export async function* readExport(
  file: InputFile,
  check: RecordCheck,
): AsyncGenerator<CheckedRecord> {
  const unique = new UniqueValues(check);
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    const record = await withLineNumber(number, async () => {
      const value = parseLine(line);
      if (number === 1) return checkHeader(value);
      const checked = await check.check(value);
      unique.add(checked);
      return checked;
    });
    if (record !== null) yield record;
  }
  if (number === 0) throw new OperatorError(`${file.path} is empty: name an export of Pressroom.`);
}

/** The values of an export that may stand in one record of a collection only, such as the email address of a user. */
class UniqueValues {
  private readonly values = new Map<string, Set<string>>();

  constructor(private readonly check: RecordCheck) {}

  /** @throws Error when another record has one of the values */
  add({ collection, record }: CheckedRecord): void {
    for (const path of this.check.uniquePaths(collection)) {
      const name = `${collection}.${path}`;
      const known = this.values.get(name) ?? new Set();
      this.values.set(name, known);
      const values = [record[path] as unknown].flat().filter((value) => value !== undefined);
      for (const value of new Set(values.map((each) => JSON.stringify(each)))) {
        if (known.has(value)) throw new Error(`another record of ${collection} has its ${path}`);
        known.add(value);
      }
    }
  }
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
async function* linesOf(file: InputFile): AsyncGenerator<string> {
  const input = file.read({ encoding: 'utf8', highWaterMark: 262_144 });
  let rest = '';
  try {
    for await (const chunk of input as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > LINE_MAX)
        throw new OperatorError(`${file.path} has a line without an end.`);
    }
  } catch (error) {
    await explainErrors(file.name, () => Promise.reject(error as Error));
  }
  if (rest !== '') {
    throw new OperatorError(`${file.path} ends within a line: it was not copied as a whole.`);
  }
}
