import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import pLimit from 'p-limit';
import { ALT } from '../../../blog/media/library/upload-media.dto.js';
import { PictureIntake } from '../../../blog/media/storage/picture-intake.service.js';
import { Env } from '../../../platform/config/env.js';
import { isDuplicateKey } from '../../../platform/database/is-duplicate-key.js';
import { ApiError } from '../../../platform/http/errors/api.errors.js';
import { hasVisible } from '../../../platform/text/characters.js';
import type { Upload } from '../../../platform/http/input/uploads/upload.js';
import { plain } from '../articles/article-plan.js';
import type { MarkedPicture } from './marked-article.js';
import { PictureTrouble } from './picture-source.js';

/** Number of pictures that are read or fetched at a time. */
const AT_A_TIME = 4;

/** Failures of this machine, not of a picture. */
const OWN_TROUBLES: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EMFILE',
  'EACCES',
]);

/** A picture with the id under which it is stored. */
export interface WantedPicture extends MarkedPicture {
  readonly _id: Types.ObjectId;
  readonly owner: Types.ObjectId;
}

/** What became of a picture: `problem` says why it was not taken, as the end of a sentence. */
export type TakenPicture = 'stored' | 'known' | { readonly problem: string };

/** What an article says of a picture, as it can be stored. */
export function storableAlt(alt: string): string {
  const text = Array.from(plain(alt)).slice(0, ALT.max).join('');
  return hasVisible(text) ? text : '';
}

/** Stores pictures of imported articles. */
@Injectable()
export class ImportPictures {
  private readonly limit = pLimit(AT_A_TIME);
  private readonly maxBytes: number;

  constructor(
    private readonly intake: PictureIntake,
    env: Env,
  ) {
    this.maxBytes = env.MEDIA_MAX_MB * 1_048_576;
  }

  /**
   * Stores the pictures that an earlier run has not stored. If the process is killed, a picture is stored completely
   * or not at all.
   *
   * @returns what became of each, in order
   * @throws what the database or the disk throws
   */
  async take(pictures: readonly WantedPicture[]): Promise<TakenPicture[]> {
    const known = await this.intake.storedAmong(pictures.map(({ _id }) => _id));
    return Promise.all(
      pictures.map(async (picture) =>
        known.has(picture._id.toHexString()) ? 'known' : this.limit(() => this.takeOne(picture)),
      ),
    );
  }

  private async takeOne(picture: WantedPicture): Promise<TakenPicture> {
    const { folder } = this.intake;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    try {
      const upload = await this.received(picture, path);
      if ('problem' in upload) return upload;
      const { _id, owner, alt } = picture;
      await this.intake.add(upload, {
        _id,
        owner,
        alt: storableAlt(alt),
        isForArticle: true,
      });
      return 'stored';
    } catch (error) {
      // Another run has stored it meanwhile.
      if (isDuplicateKey(error)) return 'known';
      if (error instanceof ApiError) return { problem: error.message };
      throw error;
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Reads a picture into a file. */
  private async received(
    { found }: WantedPicture,
    path: string,
  ): Promise<Upload | { readonly problem: string }> {
    try {
      const stream = await found.open();
      const received = await this.intake.receive(this.bounded(stream), path);
      return { path, name: found.name, ...received };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (OWN_TROUBLES.has(code)) throw error;
      const isNamed = error instanceof PictureTrouble || error instanceof ApiError;
      return { problem: isNamed ? message : `it cannot be read (${message})` };
    }
  }

  private bounded(stream: Readable): Readable {
    const { maxBytes } = this;
    let size = 0;
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size <= maxBytes) done(null, chunk);
        else done(new PictureTrouble(`it has more than ${maxBytes / 1_048_576} MB (MEDIA_MAX_MB)`));
      },
    });
    stream.on('error', (error) => counter.destroy(error));
    counter.on('close', () => stream.destroy());
    return stream.pipe(counter);
  }
}
