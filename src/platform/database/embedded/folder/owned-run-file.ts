import { readRunFile, releaseRunFile, updateRunFile, type RunRecord } from './run-file.js';

/** The `run.json` that this process has claimed. */
export class OwnedRunFile {
  private readonly file: string;
  private record: RunRecord;
  private written: Promise<void> = Promise.resolve();

  /**
   * @param file path of `run.json`
   * @param record the record with which it was claimed
   */
  constructor(file: string, record: RunRecord) {
    this.file = file;
    this.record = record;
  }

  /**
   * Changes members of the record and keeps the others. Changes are written in their order, and one that
   * fails is written by the next.
   *
   * @throws {Error} with the system's code when the folder cannot be written
   */
  update(change: Partial<RunRecord>): Promise<void> {
    this.record = { ...this.record, ...change };
    const write = this.written.then(() => updateRunFile(this.file, this.record));
    this.written = write.catch(() => undefined);
    return write;
  }

  /** Notes that mongod, if there is one, does not accept writes. */
  async noteOutage(): Promise<void> {
    const { mongod } = this.record;
    // On a full disk the file stays as it is: a process that joins also asks the socket.
    if (mongod) await this.update({ mongod: { ...mongod, isReady: false } }).catch(() => undefined);
  }

  /** Whether `run.json` exists and names this process. */
  async isThere(): Promise<boolean> {
    const current = await readRunFile(this.file);
    const { pid, startTime } = this.record.app;
    return current?.app.pid === pid && current.app.startTime === startTime;
  }

  /** Removes `run.json` if it still names this process. */
  async release(): Promise<void> {
    await this.written;
    await releaseRunFile(this.file, this.record.app);
  }
}
