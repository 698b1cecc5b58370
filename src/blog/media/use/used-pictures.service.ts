import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model, type QueryFilter } from 'mongoose';
import ms from 'ms';
import { Clock } from '../../../platform/clock.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { SHOWN_FACTS } from '../../../platform/picture/shown-picture.js';
import { Media } from '../records/media.schema.js';

/** How long after its use was noted a picture is looked up again. */
export const CHECK_MS = ms('1d');

const USED_FIELDS = ['owner', 'alt', 'focus', 'unusedSince', ...SHOWN_FACTS] as const;

export type UsedMedia = Pick<Media, '_id' | (typeof USED_FIELDS)[number]>;

/** Finds pictures that are about to be used. */
@Injectable()
export class UsedPictures {
  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    private readonly clock: Clock,
  ) {}

  /**
   * The pictures that are there, and that nobody removes for want of use from now on. The use is noted before whatever
   * shows them is stored, also if that then may not show them: they are looked up again in a day.
   *
   * @param condition what they must be besides
   */
  async find(
    ids: readonly string[],
    condition: QueryFilter<Media> = {},
  ): Promise<readonly UsedMedia[]> {
    const filter = { _id: { $in: ids.map((id) => new Types.ObjectId(id)) }, ...condition };
    const found = await this.read(filter);
    const isRemoved = await this.markUsed(found);
    return isRemoved ? this.read(filter) : found;
  }

  private async read(filter: QueryFilter<Media>): Promise<UsedMedia[]> {
    return this.media
      .find(filter, null, BY_ID)
      .select([...USED_FIELDS])
      .read('primary')
      .lean<UsedMedia[]>();
  }

  /** @returns whether one of the pictures was removed meanwhile */
  private async markUsed(pictures: readonly UsedMedia[]): Promise<boolean> {
    const unused = pictures.filter(({ unusedSince }) => unusedSince !== undefined);
    if (unused.length === 0) return false;
    const { matchedCount } = await this.media.updateMany(
      { _id: { $in: unused.map(({ _id }) => _id) } },
      {
        $unset: { unusedSince: 1 },
        $set: { checkAt: new Date(this.clock.now().getTime() + CHECK_MS) },
      },
      BY_ID,
    );
    return matchedCount < unused.length;
  }
}
