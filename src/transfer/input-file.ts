import { open, mkdtemp, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { explainErrors } from './output-file.js';

/** The path that stands for the standard input. */
export const STDIN = '-';

/**
 * A file that a command reads twice: first to check it as a whole, then to write its records. Both times the
 * same bytes are read: a pipe is copied to a temporary file before.
 */
export class InputFile {
  private constructor(
    /** The path that the operator gave. */
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /**
   * Opens a file for the time of the work.
   *
   * @param path a file, a named pipe, or STDIN for the standard input
   * @throws OperatorError when the file cannot be read
   * @throws what `work` throws
   */
  static async use<Result>(
    path: string,
    work: (file: InputFile) => Promise<Result>,
  ): Promise<Result> {
    const handle = await explainErrors(nameOf(path), () => openForReading(path));
    try {
      return await work(new InputFile(path, handle));
    } finally {
      await handle.close();
    }
  }

  get name(): string {
    return nameOf(this.path);
  }

  /** Reads the file from its beginning. */
  read(options: { encoding?: BufferEncoding; highWaterMark?: number } = {}): Readable {
    return this.handle.createReadStream({ ...options, start: 0, autoClose: false });
  }
}

function nameOf(path: string): string {
  return path === STDIN ? 'The standard input' : path;
}

async function openForReading(path: string): Promise<FileHandle> {
  if (path === STDIN) return spool(process.stdin);
  const handle = await open(path, 'r');
  if ((await handle.stat()).isFile()) return handle;
  try {
    return await spool(handle.createReadStream({ autoClose: false }));
  } finally {
    await handle.close();
  }
}

/**
 * Copies a stream to a temporary file. Its folder can be read by its owner only, and the file has no name any more
 * before the first byte is written, so that it disappears with this process, however that ends.
 */
async function spool(stream: Readable): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'pressroom-'));
  const handle = await open(join(folder, 'input'), 'wx+', 0o600).finally(() =>
    rm(folder, { recursive: true, force: true }),
  );
  try {
    await writeFile(handle, stream);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
