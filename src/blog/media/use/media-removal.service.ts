import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../../platform/clock.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { MEDIA } from '../records/media.cache.js';
import { MediaFile } from '../records/media-file.schema.js';
import { Media } from '../records/media.schema.js';
import { PictureFolder } from '../storage/picture-folder.service.js';

/** Removes pictures. */
@Injectable()
export class MediaRemoval {
  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    @InjectModel(MediaFile.name) private readonly files: Model<MediaFile>,
    private readonly folder: PictureFolder,
    private readonly coherence: CacheCoherenceService,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes the record of a picture, and its sizes on this machine. MediaJob then removes its bytes, unless another
   * record has them too.
   *
   * @param condition what must still hold of the record
   * @returns false when no record matches
   */
  async remove(
    { _id, file }: Pick<Media, '_id' | 'file'>,
    condition: QueryFilter<Media> = {},
  ): Promise<boolean> {
    let isRemoved = false;
    await this.coherence.write([MEDIA.record(_id)], async () => {
      const { deletedCount } = await this.media.deleteOne({ _id, ...condition }, BY_ID);
      isRemoved = deletedCount === 1;
    });
    if (!isRemoved) return false;
    await this.files.updateOne({ _id: file }, { $set: { checkAt: this.clock.now() } }, BY_ID);
    await this.folder.remove(_id);
    return true;
  }
}
