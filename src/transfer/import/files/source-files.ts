import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { openPromise, type Entry } from 'yauzl';
import { OperatorError } from '../../../platform/config/operator.error.js';
import type { Refusal } from '../articles/imported-article.js';

/** Largest number of files that are read. */
const FILES_MAX = 100_000;
/** Largest file, unpacked, in bytes: articles are far smaller. */
const FILE_MAX = 8 * 1_024 * 1_024;

/** The files of an export: a zip, or the folder that it was unpacked to. Nothing is written to the disk. */
export interface SourceFiles {
  /** The paths of the files with slashes, in order. */
  readonly paths: readonly string[];
  /** @returns the text of a file, or why it cannot be read */
  read(path: string): Promise<string | Refusal>;
  /** Reads the bytes of a file of any size. @throws Error when there is no such file */
  open(path: string): Promise<Readable>;
  close(): void;
}

/** @throws OperatorError when the path is no zip and no folder, or holds too many files */
export async function openFiles(path: string): Promise<SourceFiles> {
  try {
    return (await stat(path)).isDirectory() ? await openFolder(path) : await openZip(path);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function openFolder(folder: string): Promise<SourceFiles> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length));
  const known = new Set(paths.map((path) => path.split(sep).join('/')));
  return {
    paths: [...known].sort(),
    read: async (path) => {
      // A list of articles may name any path, also one outside of the folder.
      if (!known.has(path)) return { reason: 'it is not in the folder' };
      const { size } = await stat(join(folder, path));
      return size > FILE_MAX ? tooLarge() : readFile(join(folder, path), 'utf8');
    },
    open: (path) =>
      known.has(path)
        ? Promise.resolve(createReadStream(join(folder, path)))
        : Promise.reject(new Error('it is not in the folder')),
    close: () => undefined,
  };
}

/**
 * The entries of a zip are unpacked one at a time into memory. The size of an entry is known before, and an entry
 * that turns out to be larger is an error, so a small file cannot become a large one.
 */
async function openZip(file: string): Promise<SourceFiles> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= FILES_MAX) throw new OperatorError(`${file} holds too many files.`);
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
    }
  } catch (error) {
    zip.close();
    throw error;
  }
  return {
    paths: [...entries.keys()].sort(),
    read: async (path) => {
      const entry = entries.get(path);
      if (entry === undefined) return { reason: 'it is not in the file' };
      if (entry.uncompressedSize > FILE_MAX) return tooLarge();
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          chunks.push(chunk as Buffer);
        }
        return Buffer.concat(chunks).toString('utf8');
      } catch (error) {
        return { reason: `it cannot be unpacked: ${(error as Error).message}` };
      }
    },
    open: (path) => {
      const entry = entries.get(path);
      return entry === undefined
        ? Promise.reject(new Error('it is not in the file'))
        : zip.openReadStreamPromise(entry);
    },
    close: () => zip.close(),
  };
}

function tooLarge(): Refusal {
  return { reason: `it is larger than ${FILE_MAX / 1_024 / 1_024} MiB` };
}
