import { readRunFile, releaseRunFile, updateRunFile, type RunRecord } from './run-file.js';

/** The `run.json` that this process has claimed. */
export class OwnedRunFile {
  private readonly file: string;
  private record: RunRecord;
  private lastWrite: Promise<void> = Promise.resolve();

  /**
   * @param file path of `run.json`
   * @param record the record with which this process claimed the file
   */
  constructor(file: string, record: RunRecord) {
    this.file = file;
    this.record = record;
  }

  /**
   * Changes some fields of the record. The writes follow the order of the calls. A change whose write
   * failed is written with the next change.
   *
   * @throws {Error} with an error code such as `ENOSPC` when the folder cannot be written
   */
  update(change: Partial<RunRecord>): Promise<void> {
    this.record = { ...this.record, ...change };
    const write = this.lastWrite.then(() => updateRunFile(this.file, this.record));
    this.lastWrite = write.catch(() => undefined);
    return write;
  }

  /** Records that mongod does not accept writes. Does nothing if mongod was not started yet. */
  async noteOutage(): Promise<void> {
    const { mongod } = this.record;
    // On a full disk `isReady` stays true in the file. A process that joins therefore tries the socket too.
    if (mongod) await this.update({ mongod: { ...mongod, isReady: false } }).catch(() => undefined);
  }

  /** Whether `run.json` exists and names this process. */
  async isStillOurs(): Promise<boolean> {
    const current = await readRunFile(this.file);
    const { pid, startTime } = this.record.app;
    return current?.app.pid === pid && current.app.startTime === startTime;
  }

  /** Removes `run.json` if it still names this process. */
  async release(): Promise<void> {
    await this.lastWrite;
    await releaseRunFile(this.file, this.record.app);
  }
}
