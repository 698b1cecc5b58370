import { EmbeddedMongoError } from './embedded-mongo.error.js';

/** Another living process owns the data folder. */
export class EmbeddedMongoInUseError extends EmbeddedMongoError {
  override readonly name = 'EmbeddedMongoInUseError';
  /** Process id of the owner. */
  readonly pid: number;

  /**
   * @param dataDir the data folder
   * @param pid process id of the Pressroom process that owns it
   */
  constructor(dataDir: string, pid: number) {
    super(
      `${dataDir} is in use: the Pressroom process ${pid} keeps its embedded MongoDB there. ` +
        `Stop that process first, or set DATA_DIR to another folder.`,
    );
    this.pid = pid;
  }
}
