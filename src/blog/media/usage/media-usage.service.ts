import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, Types } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { UserService } from '../../../user/user.service.js';
import { toPersonView } from '../../../user/views/author.view.js';
import { MediaFile } from '../records/media-file.schema.js';
import { Media, MEDIA_USAGE_INDEX } from '../records/media.schema.js';
import { PictureFolder } from '../storage/picture-folder.service.js';
import type { MediaUsageView } from './media-usage.view.js';

/** Number of accounts that the usage names. */
const OWNERS_MAX = 20;

interface Sums {
  readonly pictures: number;
  readonly bytes: number;
  readonly unused: number;
  readonly unusedBytes: number;
}

interface Found extends Sums {
  readonly owners: readonly (Sums & { readonly _id: Types.ObjectId })[];
}

const IS_UNUSED = { $gt: ['$unusedSince', null] };

/** Sums of all pictures, and of those accounts that take most. It reads the keys of one index, and no record. */
const SUMMING: readonly PipelineStage[] = [
  {
    $group: {
      _id: '$owner',
      pictures: { $sum: 1 },
      bytes: { $sum: '$bytes' },
      unused: { $sum: { $cond: [IS_UNUSED, 1, 0] } },
      unusedBytes: { $sum: { $cond: [IS_UNUSED, '$bytes', 0] } },
    },
  },
  {
    $group: {
      _id: null,
      pictures: { $sum: '$pictures' },
      bytes: { $sum: '$bytes' },
      unused: { $sum: '$unused' },
      unusedBytes: { $sum: '$unusedBytes' },
      owners: { $topN: { n: OWNERS_MAX, sortBy: { bytes: -1, _id: 1 }, output: '$$ROOT' } },
    },
  },
];

const NONE: Found = { pictures: 0, bytes: 0, unused: 0, unusedBytes: 0, owners: [] };

/** Tells how much pictures take. */
@Injectable()
export class MediaUsage {
  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    @InjectModel(MediaFile.name) private readonly files: Model<MediaFile>,
    private readonly folder: PictureFolder,
    private readonly users: UserService,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /** @throws UnavailableError if there are more pictures than the time of an operation allows to read */
  async get(): Promise<MediaUsageView> {
    const [found = NONE] = await this.coherence.read((options) =>
      this.media.aggregate<Found>([...SUMMING], { ...options, hint: MEDIA_USAGE_INDEX }),
    );
    const { pictures, bytes, unused, unusedBytes, owners } = found;
    const names = await this.users.namesOf(owners.map(({ _id }) => _id));
    return {
      pictures,
      bytes,
      unused,
      unusedBytes,
      files: await this.files.estimatedDocumentCount(),
      cacheBytes: await this.folder.measure(),
      cacheMaxBytes: this.folder.maxBytes,
      owners: owners.map((owner) => ({
        user: toPersonView(owner._id, names),
        pictures: owner.pictures,
        bytes: owner.bytes,
        unused: owner.unused,
      })),
    };
  }
}
