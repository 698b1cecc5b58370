import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { MediaFile } from '../records/media-file.schema.js';
import type { PictureStore } from './picture-store.js';

/** Number of pictures that are moved at the same time. */
const LANES = 4;

export interface MoveReport {
  /** Pictures that were copied. */
  copied: number;
  /** Pictures that the target had already, from an earlier run. */
  known: number;
  /** Pictures that were removed from the source. */
  removed: number;
  /** Pictures that neither store has. */
  missing: number;
}

/** Moves the bytes of pictures to another store. It may be ended at any time, and be run again. */
@Injectable()
export class PictureMove {
  constructor(@InjectModel(MediaFile.name) private readonly files: Model<MediaFile>) {}

  /**
   * @param isKept whether the source keeps them, for servers that still use it
   * @param report counts what is done, also of a move that fails
   * @throws PictureStoreError
   */
  async run(
    from: PictureStore,
    to: PictureStore,
    isKept: boolean,
    report: MoveReport,
  ): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'pressroom-move-'));
    try {
      for (let batch = await this.after(); batch.length > 0; batch = await this.after(batch)) {
        const moves = batch.map((id) => this.move(id, from, to, folder, isKept, report));
        await Promise.allSettled(moves);
        await Promise.all(moves);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The ids of the next files. */
  private async after(batch: readonly Types.ObjectId[] = []): Promise<Types.ObjectId[]> {
    const last = batch.at(-1);
    const found = await this.files
      .find({ isStored: true, ...(last ? { _id: { $gt: last } } : {}) })
      .sort({ _id: 1 })
      .limit(LANES)
      .lean<MediaFile[]>();
    return found.map(({ _id }) => _id);
  }

  private async move(
    id: Types.ObjectId,
    from: PictureStore,
    to: PictureStore,
    folder: string,
    isKept: boolean,
    report: MoveReport,
  ): Promise<void> {
    if (await to.has(id)) report.known += 1;
    else if (await from.has(id)) {
      const path = join(folder, id.toHexString());
      await from.read(id, path);
      await to.write(id, path);
      await rm(path);
      report.copied += 1;
      // Its last record may have been deleted meanwhile, and with it the picture.
      if (!(await this.files.exists({ _id: id }))) await to.remove(id);
    } else {
      report.missing += 1;
      return;
    }
    if (isKept || !(await from.has(id))) return;
    await from.remove(id);
    report.removed += 1;
  }
}
