import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Env } from '../../../platform/config/env.js';
import { UnavailableError } from '../../../platform/http/errors/api.errors.js';
import { FORMATS, type PictureFormat } from '../../../platform/picture/picture-formats.js';
import { PictureProcess } from '../processing/picture-process.service.js';
import type { Media } from '../records/media.schema.js';
import { mediaFolder, uploadFolder } from './media-folder.js';
import { PictureStore } from './picture-store.js';

/** A picture in one of its sizes: the full one, or one of a width. */
export interface Size {
  readonly width: number | 'full';
  readonly format: PictureFormat;
}

/** Milliseconds after which a lock is taken for one of a process that has died. */
const LOCK_MS = 30_000;

/** Interval in milliseconds at which a process looks whether another one has made the picture. */
const POLL_MS = 50;

/** How often the time of a use is written, in milliseconds. */
const USE_MS = 3_600_000;

/** Age in milliseconds at which an unfinished file is one of a process that has died. */
const LEFT_MS = 2 * 3_600_000;

/** The share of its size by which the folder may grow before it is pruned, and how full it may then be. */
const GROWTH = 0.05;
const FULL = 0.9;

/** The name of a picture in the folder, which locks and unfinished files do not have. */
const PICTURE_NAME = /^[0-9a-f]{24}-\w+\.\w+$/;

/** A picture in the folder. */
interface FolderFile {
  readonly name: string;
  readonly size: number;
  readonly usedAt: number;
}

/** What a picture was read from. */
export type PictureSource = Pick<Media, '_id' | 'file' | 'format' | 'createdAt'>;

/**
 * The pictures of this machine: full ones, and the sizes that were asked for. Each is made once, whichever process is
 * asked first, and goes when the folder is full and it was not asked for lately.
 */
@Injectable()
export class PictureFolder {
  readonly path: string;
  private readonly making = new Map<string, Promise<void>>();
  private readonly usedAt = new Map<string, number>();
  private readonly uploads: string;
  readonly maxBytes: number;
  /** Its size when it was last measured, with what this process has added since; null before. */
  bytes: number | null = null;
  /** Bytes that were added since the folder was last pruned, which this process has not done yet. */
  private grown = Infinity;
  private pruning: Promise<number> | null = null;

  constructor(
    env: Env,
    private readonly store: PictureStore,
    private readonly process: PictureProcess,
  ) {
    this.path = join(mediaFolder(env), 'pictures');
    this.uploads = uploadFolder(env);
    this.maxBytes = env.MEDIA_CACHE_MB * 1_048_576;
  }

  /**
   * The name of a picture in the folder. It has the id of the record and not that of the file: the times of a file
   * that records share would tell its owners of each other.
   */
  nameOf({ _id }: Pick<Media, '_id'>, { width, format }: Size): string {
    return `${_id.toHexString()}-${width}.${FORMATS[format].extension}`;
  }

  /** Puts a full picture into the folder, if it can. The store has it already. */
  async keep(picture: PictureSource, path: string): Promise<void> {
    await this.put(picture, { width: 'full', format: picture.format }, path).catch(() => undefined);
  }

  /**
   * Makes a picture that the folder lacks.
   *
   * @throws UnavailableError when the pictures of too many wait
   */
  async make(picture: PictureSource, size: Size): Promise<void> {
    const name = this.nameOf(picture, size);
    const known = this.making.get(name);
    if (known) return known;
    const made = this.makeOnce(name, picture, size).finally(() => this.making.delete(name));
    this.making.set(name, made);
    return made;
  }

  /** Notes that a picture was asked for. */
  async touch(name: string, writtenAt: Date): Promise<void> {
    const now = Date.now();
    if (now - (this.usedAt.get(name) ?? 0) < USE_MS) return;
    this.usedAt.set(name, now);
    await utimes(join(this.path, name), new Date(now), writtenAt).catch(() => undefined);
  }

  /** Removes all sizes of a picture. */
  async remove(id: Types.ObjectId): Promise<void> {
    for (const name of await this.names()) {
      if (name.startsWith(id.toHexString())) await rm(join(this.path, name), { force: true });
    }
  }

  /**
   * Removes what was not asked for longest, until the folder has its size again, and what processes that have died have
   * left behind.
   *
   * @returns the number of pictures that were removed
   */
  async prune(): Promise<number> {
    this.pruning ??= this.pruneNow().finally(() => (this.pruning = null));
    return this.pruning;
  }

  /** Measures its size in bytes. */
  async measure(): Promise<number> {
    this.bytes = sizeOf(await this.files());
    return this.bytes;
  }

  private async files(): Promise<FolderFile[]> {
    return Promise.all(
      (await this.names()).map(async (name) => {
        const found = await stat(join(this.path, name)).catch(() => null);
        return { name, size: found?.size ?? 0, usedAt: found?.atimeMs ?? 0 };
      }),
    );
  }

  private async pruneNow(): Promise<number> {
    this.grown = 0;
    for (const folder of [this.path, this.uploads]) await removeLeftovers(folder);
    const files = await this.files();
    let size = sizeOf(files);
    this.bytes = size;
    if (size <= this.maxBytes * (1 - GROWTH)) return 0;
    let removed = 0;
    for (const file of files.toSorted((one, other) => one.usedAt - other.usedAt)) {
      if (size <= this.maxBytes * FULL) break;
      await rm(join(this.path, file.name), { force: true });
      this.usedAt.delete(file.name);
      size -= file.size;
      removed += 1;
    }
    this.bytes = size;
    return removed;
  }

  private async makeOnce(name: string, picture: PictureSource, size: Size): Promise<void> {
    await mkdir(this.path, { recursive: true });
    const lock = join(this.path, `${name}.lock`);
    const deadline = Date.now() + LOCK_MS;
    while (!(await isNew(lock))) {
      if (await exists(join(this.path, name))) return;
      if (Date.now() > deadline) throw new UnavailableError('the picture is being made: try again');
      const locked = await stat(lock).catch(() => null);
      if (locked && Date.now() - locked.mtimeMs > LOCK_MS) await rm(lock, { force: true });
      else await wait(POLL_MS);
    }
    try {
      if (!(await exists(join(this.path, name)))) await this.produce(picture, size);
    } finally {
      await rm(lock, { force: true });
    }
  }

  private async produce(picture: PictureSource, size: Size): Promise<void> {
    const output = join(this.path, `.${randomUUID()}`);
    try {
      if (size.width === 'full') {
        await this.store.read(picture.file, output);
      } else {
        const full: Size = { width: 'full', format: picture.format };
        const input = join(this.path, this.nameOf(picture, full));
        if (!(await exists(input))) await this.make(picture, full);
        await this.process.size({ input, output, width: size.width, format: size.format });
      }
      await this.put(picture, size, output);
    } finally {
      await rm(output, { force: true });
    }
  }

  /** Moves a picture to its name. Its time is that of the upload, so that all machines give it the same ETag. */
  private async put(picture: PictureSource, size: Size, path: string): Promise<void> {
    await mkdir(this.path, { recursive: true });
    await utimes(path, new Date(), picture.createdAt);
    const { size: bytes } = await stat(path);
    await rename(path, join(this.path, this.nameOf(picture, size)));
    this.grown += bytes;
    if (this.bytes !== null) this.bytes += bytes;
    // What cannot be removed now is tried again when the folder has grown further.
    if (this.grown > this.maxBytes * GROWTH) void this.prune().catch(() => undefined);
  }

  private async names(): Promise<string[]> {
    try {
      return (await readdir(this.path)).filter((name) => PICTURE_NAME.test(name));
    } catch {
      return [];
    }
  }
}

function sizeOf(files: readonly FolderFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Creates a lock file. @returns false if it is there already */
async function isNew(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes locks and unfinished files that nobody has written to for long. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => !PICTURE_NAME.test(each))) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_MS) {
      await rm(join(folder, name), { force: true, recursive: true });
    }
  }
}
