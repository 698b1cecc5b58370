import { OperatorError } from '../../config/operator.error.js';

/** A source of `mongod` that was tried, and why it failed. */
export interface FailedSource {
  readonly name: string;
  readonly reason: string;
}

/** No usable `mongod` was found. The message lists each source with its reason, and what to do. */
export class MongodNotFoundError extends OperatorError {
  override readonly name = 'MongodNotFoundError';
  override readonly isList = true;
  readonly sources: readonly FailedSource[];

  /**
   * @param sources in the order in which they were tried
   * @param series release series of the existing data, such as `6.0`; undefined for a new folder
   */
  constructor(sources: readonly FailedSource[], series?: string) {
    const wanted = series === undefined ? 'mongod 6.0 or newer' : `mongod ${series}`;
    const lines = [
      `No usable ${wanted} was found for the embedded MongoDB. Tried, in this order:`,
      ...sources.map(({ name, reason }, index) => `  ${index + 1}. ${name}: ${reason}`),
      'Any one of these helps:',
      '  - set MONGODB_URI to a MongoDB that is already running (a replica set is recommended);',
      `  - install ${wanted} so that it is on the PATH, or set MONGOMS_SYSTEM_BINARY to its path;`,
      '  - start again with a network connection (on Linux with python3 and pip, too).',
    ];
    if (series !== undefined) {
      lines.push(
        `  - the data in this folder was written by MongoDB ${series} and opens only with that series;`,
        '    set DATA_DIR to another folder to begin with an empty database.',
      );
    }
    super(lines.join('\n'));
    this.sources = sources;
  }
}
