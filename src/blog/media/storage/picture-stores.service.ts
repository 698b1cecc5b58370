import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Env } from '../../../platform/config/env.js';
import { GridFsStore } from './gridfs-store.js';
import type { PictureStore } from './picture-store.js';
import { S3Store } from './s3-store.js';

/** The stores that this server can reach. */
@Injectable()
export class PictureStores implements OnApplicationShutdown {
  readonly gridfs: PictureStore;
  /** `undefined` without MEDIA_S3_URL. */
  readonly s3: PictureStore | undefined;
  /** The one that the settings choose. */
  readonly chosen: PictureStore;

  constructor(@InjectConnection() connection: Connection, { MEDIA_S3_URL }: Env) {
    this.gridfs = new GridFsStore(connection);
    this.s3 = MEDIA_S3_URL && new S3Store(MEDIA_S3_URL);
    this.chosen = this.s3 ?? this.gridfs;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.gridfs.close(), this.s3?.close()]);
  }
}
