import { Injectable } from '@nestjs/common';
import { fileNameOf } from '../../../platform/picture/shown-picture.js';
import type { Media } from '../records/media.schema.js';
import { PictureAddresses } from '../serving/picture-addresses.service.js';
import { toMediaView, type MediaView } from './media.view.js';

/** Shows pictures to those who may use them, by addresses that open them for a while. */
@Injectable()
export class MediaViews {
  constructor(private readonly addresses: PictureAddresses) {}

  of(media: Media): MediaView {
    const { _id } = media;
    const links = this.addresses.signedLinks()({ ...media, id: _id.toHexString() });
    return toMediaView(media, fileNameOf(media), links);
  }
}
