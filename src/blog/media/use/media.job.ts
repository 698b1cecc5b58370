import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../../platform/clock.js';
import { Env } from '../../../platform/config/env.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../platform/jobs/background.service.js';
import { MEDIA } from '../records/media.cache.js';
import { MediaFile } from '../records/media-file.schema.js';
import { Media } from '../records/media.schema.js';
import { PictureFolder } from '../storage/picture-folder.service.js';
import { PictureStore } from '../storage/picture-store.js';
import { MediaRemoval } from './media-removal.service.js';
import { MediaUses } from './media-uses.service.js';
import { CHECK_MS } from './used-pictures.service.js';

/** Number of records that are read at a time. */
const BATCH = 100;

/**
 * Looks up which pictures are used, removes those that were not for MEDIA_KEEP, lets records with the same bytes share
 * one file, and removes files without a record. One process at a time runs it.
 */
@Injectable()
export class MediaJob implements BackgroundJob, OnModuleInit {
  readonly name = 'media';
  readonly everyMs = 60_000;

  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    @InjectModel(MediaFile.name) private readonly files: Model<MediaFile>,
    private readonly uses: MediaUses,
    private readonly store: PictureStore,
    private readonly folder: PictureFolder,
    private readonly removal: MediaRemoval,
    private readonly coherence: CacheCoherenceService,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    const due = { checkAt: { $lte: this.clock.now() } };
    return (await this.media.exists(due)) !== null || (await this.files.exists(due)) !== null;
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const pictures = await this.checkDue(this.media, (media) => this.checkPicture(media), signal);
    const files = await this.checkDue(this.files, (file) => this.checkFile(file), signal);
    if (signal.aborted) return null;
    await this.folder.prune();
    return pictures + files === 0 ? null : `removed ${pictures} unused pictures and ${files} files`;
  }

  /**
   * Checks the records that are due, until the signal is aborted.
   *
   * @param check returns whether the record was removed
   * @returns the number of records that were removed
   */
  private async checkDue<Record extends { readonly checkAt?: Date }>(
    model: Model<Record>,
    check: (record: Record) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<number> {
    let removed = 0;
    for (;;) {
      const due = await this.dueOf(model);
      for (const record of due) {
        if (signal.aborted) return removed;
        if (await check(record)) removed += 1;
      }
      if (due.length < BATCH) return removed;
    }
  }

  /** Gives the records of one file another one with the same bytes. */
  private async shareFile(from: Types.ObjectId, to: Types.ObjectId): Promise<void> {
    const records = await this.media.find({ file: from }).select(['_id']).lean<Media[]>();
    const changes = records.map(({ _id }) => MEDIA.record(_id));
    await this.coherence.write(changes, async () => {
      await this.media.updateMany({ file: from }, { $set: { file: to } });
    });
  }

  private dueOf<Record extends { readonly checkAt?: Date }>(
    model: Model<Record>,
  ): Promise<Record[]> {
    return model
      .find({ checkAt: { $lte: this.clock.now() } } as never)
      .sort({ checkAt: 1 })
      .limit(BATCH)
      .lean<Record[]>();
  }

  /** @returns whether the picture was removed */
  private async checkPicture(media: Media): Promise<boolean> {
    const { _id, pinned, unusedSince, ownerLeft } = media;
    const now = this.clock.now();
    const isUsed = await this.uses.isUsed(_id);
    const keptUntil = (unusedSince ?? now).getTime() + this.env.MEDIA_KEEP;
    const isKept = ownerLeft ? false : (pinned ?? keptUntil > now.getTime());
    if (!isUsed && (unusedSince ?? ownerLeft) && !isKept) {
      // A draft that has begun to use it meanwhile has removed `unusedSince`.
      return this.removal.remove(media, { unusedSince: unusedSince ?? null });
    }
    const checkAt = new Date(now.getTime() + Math.min(CHECK_MS, this.env.MEDIA_KEEP));
    const use = isUsed ? { $unset: { unusedSince: 1 as const } } : {};
    const since = isUsed || unusedSince ? {} : { unusedSince: now };
    await this.media.updateOne({ _id }, { $set: { checkAt, ...since }, ...use }, BY_ID);
    return false;
  }

  /** @returns whether the file was removed */
  private async checkFile({ _id, digest }: MediaFile): Promise<boolean> {
    const [first] = await this.files
      .find({ digest, isStored: true })
      .sort({ digest: 1, _id: 1 })
      .limit(1)
      .lean<MediaFile[]>();
    if (first && !first._id.equals(_id)) {
      await this.shareFile(_id, first._id);
    }
    if (await this.media.exists({ file: _id })) {
      await this.files.updateOne({ _id }, { $unset: { checkAt: 1 } }, BY_ID);
      return false;
    }
    await this.store.remove(_id);
    await this.files.deleteOne({ _id }, BY_ID);
    return true;
  }
}
