import { JSONParser } from '@streamparser/json';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { ghostChunks } from './ghost-file.js';

/** A row of a table of Ghost. */
export type GhostRecord = Readonly<Record<string, unknown>>;

/** A row of a table, or a field of a row. */
export interface GhostValue {
  readonly table: string;
  /** The name of a field, or the number of a row. */
  readonly key: string | number | undefined;
  readonly value: unknown;
}

/** The paths of the tables in exports of all versions. */
const ROOTS = ['$.db.*.data', '$.data'];

/**
 * Reads rows of an export. It holds the rows of one chunk of the file at a time.
 *
 * @param paths paths of rows, or of fields of rows, such as `posts.*`
 * @throws OperatorError when the file cannot be read or is no JSON
 */
export async function* readGhost(
  file: string,
  paths: readonly string[],
): AsyncGenerator<GhostValue> {
  let found: GhostValue[] = [];
  const parser = new JSONParser({
    paths: ROOTS.flatMap((root) => paths.map((path) => `${root}.${path}`)),
    keepStack: false,
  });
  parser.onValue = ({ value, key, stack }) => {
    const data = stack.findIndex(({ key }) => key === 'data');
    found.push({ table: String(stack[data + 1]?.key ?? ''), key, value });
  };
  let failure: Error | null = null;
  parser.onError = (error) => (failure = error);
  try {
    for await (const chunk of ghostChunks(file)) {
      parser.write(chunk);
      if (failure) throw failure as Error;
      yield* found;
      found = [];
    }
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (!parser.isEnded) throw new OperatorError(`${file} ends early: export it again.`);
}

export function textOf(record: GhostRecord, name: string): string | null {
  const value = record[name];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Ids are texts or, in old exports, numbers. */
export function idOf(record: GhostRecord, name: string): string {
  const value = record[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Whether a row of `posts` is a page. Old exports have a flag, later ones a type. */
export function isPage(post: GhostRecord): boolean {
  return post['type'] === 'page' || post['page'] === 1 || post['page'] === true;
}
