import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import ms from 'ms';
import { Clock } from '../../../platform/clock.js';
import { Env } from '../../../platform/config/env.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { receiveFile } from '../../../platform/http/input/uploads/file-receiver.js';
import type { Upload } from '../../../platform/http/input/uploads/upload.js';
import type { Creation } from '../../../platform/idempotency/creation.js';
import { checkPictureHead } from '../processing/picture-head.js';
import { PictureProcess } from '../processing/picture-process.service.js';
import { pictureName } from '../../../platform/picture/picture-name.js';
import { MediaFile } from '../records/media-file.schema.js';
import { mediaWords } from '../records/media-words.js';
import { Media } from '../records/media.schema.js';
import { CHECK_MS } from '../use/used-pictures.service.js';
import { uploadFolder } from './media-folder.js';
import { PictureFolder } from './picture-folder.service.js';
import { PictureStore } from './picture-store.js';

/** How long after it was stored a file may have no record, because its upload is still being answered. */
const FILE_CHECK_MS = ms('1h');

/** What a new picture gets besides its bytes. */
export interface NewPicture
  extends Partial<Creation>, Partial<Pick<Media, '_id' | 'alt' | 'caption' | 'credit' | 'focus'>> {
  readonly owner: Types.ObjectId;
  /** Whether an article is about to show it. The picture does not count as unused then. */
  readonly isForArticle?: boolean;
}

/** Makes pictures of files, and stores them. */
@Injectable()
export class PictureIntake {
  /** The folder for files from which pictures are made. */
  readonly folder: string;

  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    @InjectModel(MediaFile.name) private readonly files: Model<MediaFile>,
    private readonly process: PictureProcess,
    private readonly store: PictureStore,
    private readonly pictures: PictureFolder,
    private readonly clock: Clock,
    env: Env,
  ) {
    this.folder = uploadFolder(env);
  }

  /**
   * Writes a stream to a new file.
   *
   * @throws PictureTypeError for what is no picture, before more of it is read
   * @throws what the stream throws
   */
  async receive(stream: Readable, path: string): Promise<Pick<Upload, 'digest'>> {
    return receiveFile(stream, path, checkPictureHead);
  }

  /** The ids of those pictures that are stored, in hex. */
  async storedAmong(ids: readonly Types.ObjectId[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const found = await this.media
      .find({ _id: { $in: ids } }, null, BY_ID)
      .select(['_id'])
      .read('primary')
      .lean<Pick<Media, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }

  /**
   * Stores a picture, written anew: upright, in sRGB, without metadata. The file stays as it is.
   *
   * @throws PictureRefusedError for a file that is no picture, damaged or too large
   * @throws UnavailableError
   * @throws MongoServerError for which `isDuplicateKey` holds, if there is a picture with the `_id` or the creation
   */
  async add(
    { path, name }: Pick<Upload, 'path' | 'name'>,
    { owner, isForArticle = false, alt = '', caption, credit, focus, ...fields }: NewPicture,
  ): Promise<Media> {
    const file = new Types.ObjectId();
    const output = join(this.folder, `${file.toHexString()}-full`);
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const { isAnimated, ...picture } = await this.process.full({ input: path, output });
      const now = this.clock.now();
      const checkAt = new Date(now.getTime() + FILE_CHECK_MS);
      const digest = await digestOf(output);
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
        ...fields,
        owner,
        file,
        name: named,
        ...picture,
        ...(isAnimated ? { isAnimated: true as const } : {}),
        ...texts,
        ...(focus ? { focus } : {}),
        words: mediaWords({ name: named, ...texts }),
        ...(isForArticle ? {} : { unusedSince: now }),
        checkAt: new Date(now.getTime() + CHECK_MS),
        createdAt: now,
        updatedAt: now,
      };
      const media = (await this.media.create(record)).toObject();
      // Whoever imports shows no pictures. A server reads them from the store.
      if (!isForArticle) await this.pictures.keep(media, output);
      return media;
    } finally {
      await rm(output, { force: true });
    }
  }
}

/** SHA-256 of a file, in hex. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
