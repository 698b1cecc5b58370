import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { FieldWarning } from '../../../platform/http/envelope/envelope.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import type { Blog } from '../../core/blog.schema.js';
import { Media } from '../records/media.schema.js';
import { lacksAlt } from '../serving/picture-html.js';

const NO_ALT: FieldWarning = {
  field: 'draftText',
  message: 'a picture has no alt: say what it shows, for those who do not see it',
};

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
    draftText,
  }: Pick<Blog, 'pictures' | 'draftText'>): Promise<FieldWarning[]> {
    if (!pictures) return [];
    await this.media.updateMany(
      { _id: { $in: [...pictures] }, isShared: { $ne: true } },
      { $set: { isShared: true } },
      BY_ID,
    );
    return lacksAlt(draftText) ? [NO_ALT] : [];
  }
}
