import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { InvalidBodyError } from '../../../platform/http/errors/api.errors.js';
import type { Focus } from '../../../platform/picture/focus.decorator.js';
import { shownPicture, type ShownPicture } from '../../../platform/picture/shown-picture.js';
import { UsedPictures } from './used-pictures.service.js';

/** Prepares the pictures of profiles. A profile may show pictures of its account alone. */
@Injectable()
export class ProfilePictures {
  constructor(private readonly pictures: UsedPictures) {}

  /**
   * @param focus left out, that of the library
   * @param field the field of the body that chooses the picture
   * @throws InvalidBodyError for a picture of somebody else, or none
   */
  async prepare(
    media: string,
    focus: Focus | null | undefined,
    owner: Types.ObjectId,
    field: string,
  ): Promise<ShownPicture> {
    const [picture] = await this.pictures.find([media], { owner });
    if (!picture) {
      const message = `${field} must be a picture of your library: upload it with POST /media`;
      throw new InvalidBodyError([{ field, message }]);
    }
    return shownPicture(media, picture, focus === undefined ? picture.focus : focus);
  }
}
