import type { mongo } from 'mongoose';

/**
 * A backup is one gzip stream of BSON documents. It begins with a header. Then each collection of the
 * header follows, in the header's order: its records, and four zero bytes. The backup ends with a
 * footer. The BSON bytes that MongoDB returns are copied, so that every type is kept.
 */
export const FORMAT = 'pressroom-backup';
export const FORMAT_VERSION = 1;

/** Marks the end of a collection: no BSON document has the length 0. */
export const END_OF_COLLECTION = Buffer.alloc(4);

/** A collection as the database describes it. A restore uses the name only (see `restoreBackup`). */
export interface StoredCollection {
  readonly name: string;
  /** Options of the collection, as the command `create` takes them. */
  readonly options: mongo.Document;
  /** Indexes of the collection except the one of `_id`. */
  readonly indexes: readonly mongo.IndexDescription[];
}

export interface BackupHeader {
  readonly format: typeof FORMAT;
  readonly formatVersion: number;
  readonly createdAt: Date;
  readonly collections: readonly StoredCollection[];
  /** Secrets of the data folder, by the name of their file. */
  readonly files: Readonly<Record<string, string>>;
}

export interface BackupFooter {
  /** Number of records in all collections. */
  readonly records: number;
  /** SHA-256 of everything before the footer. */
  readonly sha256: mongo.Binary;
}
