import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Caller } from '../../../platform/http/access/current-user.decorator.js';
import { InvalidBodyError } from '../../../platform/http/errors/api.errors.js';
import type { Upload } from '../../../platform/http/input/uploads/upload.js';
import type { Creation } from '../../../platform/idempotency/creation.js';
import { Idempotency } from '../../../platform/idempotency/idempotency.service.js';
import { RateLimitService } from '../../../platform/rate-limit/rate-limit.service.js';
import { UserService } from '../../../user/user.service.js';
import { AccountDeletedError } from '../../../user/user.errors.js';
import { MediaNotFoundError } from '../media.errors.js';
import { Media } from '../records/media.schema.js';
import { PictureIntake } from '../storage/picture-intake.service.js';
import { MediaRemoval } from '../use/media-removal.service.js';
import { MediaViews } from './media-views.service.js';
import type { MediaView } from './media.view.js';
import { UploadMediaDto } from './upload-media.dto.js';

/** Takes pictures into the library. */
@Injectable()
export class MediaUpload {
  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    private readonly intake: PictureIntake,
    private readonly removal: MediaRemoval,
    private readonly limits: RateLimitService,
    private readonly idempotency: Idempotency,
    private readonly users: UserService,
    private readonly views: MediaViews,
  ) {}

  /**
   * Stores a picture, written anew: upright, in sRGB, without metadata.
   *
   * @throws PictureRefusedError for a file that is no picture, damaged or too large
   * @throws TooManyRequestsError @throws UnavailableError
   * @throws MediaNotFoundError for a repeated request, if the picture was deleted
   */
  async add(
    { userId }: Pick<Caller, 'userId'>,
    upload: Upload | null,
    { file: _, ...texts }: UploadMediaDto,
    creation: Creation | null,
  ): Promise<MediaView> {
    // The DTO demands a file; a field of this name that is none gets here.
    if (!upload) throw new InvalidBodyError([{ field: 'file', message: 'file must be a file' }]);
    await this.limits.count('media', userId.toHexString());
    const media = await this.idempotency.once(creation, {
      records: this.media,
      insert: (fields) => this.intake.add(upload, { ...texts, ...fields, owner: userId }),
      gone: () => new MediaNotFoundError(),
    });
    if (!(await this.users.exists(userId))) {
      await this.removal.remove(media);
      throw new AccountDeletedError();
    }
    return this.views.of(media);
  }
}
