import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { mongo, type Connection, type Types } from 'mongoose';
import { PictureStore } from './picture-store.js';

/** The collections of the pictures are `<name>.files` and `<name>.chunks`. */
const BUCKET = 'pictures';

/** Keeps pictures in the database, in GridFS, so that backups, copies and replica sets hold them. */
export class GridFsStore extends PictureStore {
  private bucket: mongo.GridFSBucket | null = null;

  constructor(private readonly connection: Connection) {
    super();
  }

  async write(id: Types.ObjectId, path: string): Promise<void> {
    const upload = this.pictures.openUploadStreamWithId(id, id.toHexString());
    await pipeline(createReadStream(path), upload);
  }

  async read(id: Types.ObjectId, path: string): Promise<void> {
    await pipeline(this.pictures.openDownloadStream(id), createWriteStream(path, { flags: 'wx' }));
  }

  async remove(id: Types.ObjectId): Promise<void> {
    const { db } = this;
    // `GridFSBucket.delete` leaves the chunks of a file that was stored in part.
    await db.collection(`${BUCKET}.files`).deleteOne({ _id: id });
    await db.collection(`${BUCKET}.chunks`).deleteMany({ files_id: id });
  }

  /** The record of a file is written after its chunks. */
  async has(id: Types.ObjectId): Promise<boolean> {
    const found = await this.db
      .collection(`${BUCKET}.files`)
      .findOne({ _id: id }, { projection: { _id: 1 } });
    return found !== null;
  }

  private get pictures(): mongo.GridFSBucket {
    this.bucket ??= new mongo.GridFSBucket(this.db, { bucketName: BUCKET });
    return this.bucket;
  }

  private get db(): mongo.Db {
    const { db } = this.connection;
    if (!db) throw new Error('the database is not connected');
    return db;
  }
}
