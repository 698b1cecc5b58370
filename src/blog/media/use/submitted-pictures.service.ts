import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import type { FieldWarning } from '../../../platform/http/envelope/envelope.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import type { Blog } from '../../core/blog.schema.js';
import { Media } from '../records/media.schema.js';
import { lacksAlt } from '../serving/picture-html.js';

const noAlt = (field: string, picture: string): FieldWarning => ({
  field,
  message: `${picture} has no alt: say what it shows, for those who do not see it`,
});

/** Looks after the pictures of an article that is submitted. */
@Injectable()
export class SubmittedPictures {
  constructor(@InjectModel(Media.name) private readonly media: Model<Media>) {}

  /**
   * Shows the pictures of a submitted article to editors, in the media library.
   *
   * @returns what its author should know before it is published
   */
  async share({
    pictures,
    cover,
    draftText,
  }: Pick<Blog, 'pictures' | 'cover' | 'draftText'>): Promise<FieldWarning[]> {
    const ids = [...(pictures ?? []), ...(cover ? [new Types.ObjectId(cover.media)] : [])];
    if (ids.length === 0) return [];
    await this.media.updateMany(
      { _id: { $in: ids }, isShared: { $ne: true } },
      { $set: { isShared: true } },
      BY_ID,
    );
    return [
      ...(cover?.alt === '' ? [noAlt('cover', 'the cover')] : []),
      ...(lacksAlt(draftText) ? [noAlt('draftText', 'a picture')] : []),
    ];
  }
}
