import type { mongo } from 'mongoose';

/**
 * A backup is one gzip stream of BSON documents: a header; then of each collection of the header, in its
 * order, the records and four zero bytes; then a footer. MongoDB's own bytes are copied, so that every type
 * is kept.
 */
export const FORMAT = 'pressroom-backup';
export const FORMAT_VERSION = 1;

/** Where a collection ends: no BSON document has the length 0. */
export const END_OF_COLLECTION = Buffer.alloc(4);

/** A collection as the database describes it. */
export interface StoredCollection {
  readonly name: string;
  /** Of the command `create`. */
  readonly options: mongo.Document;
  /** Without that of `_id`. */
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
  /** How many there are in all collections. */
  readonly records: number;
  /** SHA-256 of everything before the footer. */
  readonly sha256: mongo.Binary;
}
