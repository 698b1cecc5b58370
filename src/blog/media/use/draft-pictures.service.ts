import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import ms from 'ms';
import { Clock } from '../../../platform/clock.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import type { CleanHtml } from '../../core/html/clean-html.js';
import { Media } from '../records/media.schema.js';
import { PictureAddresses } from '../serving/picture-addresses.service.js';
import { givenPictures, picturesIn, storedHtml } from '../serving/picture-html.js';
import { MediaUses } from './media-uses.service.js';

/** How long after its use was noted a picture is looked up again. */
export const CHECK_MS = ms('1d');

type UsedMedia = Pick<
  Media,
  '_id' | 'owner' | 'name' | 'format' | 'width' | 'height' | 'unusedSince'
>;

/** A text in the form in which it is stored. */
interface PicturedText {
  readonly html: CleanHtml;
  /** What the author should know of its pictures. */
  readonly warnings: readonly string[];
}

/** Prepares the pictures of a draft. */
@Injectable()
export class DraftPictures {
  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    private readonly addresses: PictureAddresses,
    private readonly uses: MediaUses,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings the pictures of a cleaned text into their stored form. A text may show pictures of the account, those that
   * it shows already, and those that readers may see; others are left out, because a publication would show them.
   *
   * @param readText reads the text that the article has now
   */
  async prepare(
    html: CleanHtml,
    account: Types.ObjectId,
    readText: () => Promise<string>,
  ): Promise<PicturedText> {
    const ids = givenPictures(html, this.addresses.bases);
    if (ids.length === 0) return { html, warnings: [] };
    const found = await this.usable(ids);
    const foreign = found.filter(({ owner }) => !owner.equals(account));
    const known = new Set(foreign.length === 0 ? [] : picturesIn(await readText()));
    const others = foreign.filter(({ _id }) => !known.has(_id.toHexString()));
    const live = await this.uses.liveAmong(others.map(({ _id }) => _id));
    const allowed = new Map(
      found
        .filter((each) => !others.includes(each) || live.has(each._id.toHexString()))
        .map((each) => [each._id.toHexString(), each]),
    );
    const stored = storedHtml(html, this.addresses.bases, (id) => {
      const picture = allowed.get(id);
      return picture ? { ...picture, id } : null;
    });
    const missing = ids.filter((id) => !allowed.has(id));
    return {
      // Only addresses and sizes of pictures have changed, which stay clean.
      html: stored as CleanHtml,
      warnings: missing.map((id) => `the picture ${id} was left out: it is not in your library`),
    };
  }

  /**
   * The pictures that are there, and that nobody removes for want of use from now on. The use is noted before the
   * article is stored, also for pictures that the text then may not show: they are looked up again in a day.
   */
  private async usable(ids: readonly string[]): Promise<UsedMedia[]> {
    const found = await this.find(ids);
    const isRemoved = await this.markUsed(found);
    return isRemoved ? this.find(ids) : found;
  }

  private async find(ids: readonly string[]): Promise<UsedMedia[]> {
    return this.media
      .find({ _id: { $in: ids.map((id) => new Types.ObjectId(id)) } }, null, BY_ID)
      .select(['owner', 'name', 'format', 'width', 'height', 'unusedSince'])
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
