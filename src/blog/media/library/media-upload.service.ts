import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import ms from 'ms';
import { Clock } from '../../../platform/clock.js';
import { Env } from '../../../platform/config/env.js';
import type { Caller } from '../../../platform/http/access/current-user.decorator.js';
import { InvalidBodyError } from '../../../platform/http/errors/api.errors.js';
import type { Upload } from '../../../platform/http/input/uploads/upload.js';
import type { Creation } from '../../../platform/idempotency/creation.js';
import { Idempotency } from '../../../platform/idempotency/idempotency.service.js';
import { RateLimitService } from '../../../platform/rate-limit/rate-limit.service.js';
import { UserService } from '../../../user/user.service.js';
import { AccountDeletedError } from '../../../user/user.errors.js';
import { MediaNotFoundError } from '../media.errors.js';
import { PictureProcess } from '../processing/picture-process.service.js';
import { pictureName } from '../records/file-name.js';
import { MediaFile } from '../records/media-file.schema.js';
import { mediaWords } from '../records/media-words.js';
import { Media } from '../records/media.schema.js';
import { uploadFolder } from '../storage/media-folder.js';
import { PictureFolder } from '../storage/picture-folder.service.js';
import { PictureStore } from '../storage/picture-store.js';
import { CHECK_MS } from '../use/draft-pictures.service.js';
import { MediaViews } from './media-views.service.js';
import type { MediaView } from './media.view.js';
import { UploadMediaDto } from './upload-media.dto.js';

/** How long after its upload a file may have no record, because the upload is still being answered. */
const FILE_CHECK_MS = ms('1h');

/** Takes pictures into the library. */
@Injectable()
export class MediaUpload {
  private readonly folder: string;

  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    @InjectModel(MediaFile.name) private readonly files: Model<MediaFile>,
    private readonly process: PictureProcess,
    private readonly store: PictureStore,
    private readonly pictures: PictureFolder,
    private readonly limits: RateLimitService,
    private readonly idempotency: Idempotency,
    private readonly users: UserService,
    private readonly views: MediaViews,
    private readonly clock: Clock,
    env: Env,
  ) {
    this.folder = uploadFolder(env);
  }

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
    dto: UploadMediaDto,
    creation: Creation | null,
  ): Promise<MediaView> {
    // The DTO demands a file; a field of this name that is none gets here.
    if (!upload) throw new InvalidBodyError([{ field: 'file', message: 'file must be a file' }]);
    await this.limits.count('media', userId.toHexString());
    const media = await this.idempotency.once(creation, {
      records: this.media,
      insert: (fields) => this.insert(userId, upload, dto, fields),
      gone: () => new MediaNotFoundError(),
    });
    if (!(await this.users.exists(userId))) {
      await this.media.deleteOne({ _id: media._id });
      throw new AccountDeletedError();
    }
    return this.views.of(media);
  }

  private async insert(
    owner: Types.ObjectId,
    { path, name, digest }: Upload,
    { alt = '', caption, credit, focus }: UploadMediaDto,
    creation: Partial<Creation>,
  ): Promise<Media> {
    const file = new Types.ObjectId();
    const output = join(this.folder, `${file.toHexString()}-full`);
    try {
      const { isAnimated, ...picture } = await this.process.full({ input: path, output });
      const now = this.clock.now();
      const checkAt = new Date(now.getTime() + FILE_CHECK_MS);
      await this.files.create({ _id: file, digest, checkAt, createdAt: now });
      await this.store.write(file, output);
      await this.files.updateOne({ _id: file }, { $set: { isStored: true } });
      const named = pictureName(name);
      const texts = {
        alt,
        ...(caption ? { caption } : {}),
        ...(credit ? { credit } : {}),
      };
      const record = {
        ...creation,
        owner,
        file,
        name: named,
        ...picture,
        ...(isAnimated ? { isAnimated: true as const } : {}),
        ...texts,
        ...(focus ? { focus } : {}),
        words: mediaWords({ name: named, ...texts }),
        unusedSince: now,
        checkAt: new Date(now.getTime() + CHECK_MS),
        createdAt: now,
        updatedAt: now,
      };
      const media = (await this.media.create(record)).toObject();
      await this.pictures.keep(media, output);
      return media;
    } finally {
      await rm(output, { force: true });
    }
  }
}
