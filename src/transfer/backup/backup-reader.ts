import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import { OperatorError } from '../../platform/config/operator.error.js';
import {
  FORMAT,
  FORMAT_VERSION,
  type BackupFooter,
  type BackupHeader,
  type StoredCollection,
} from './backup-format.js';

const { deserialize } = mongo.BSON;

/**
 * Largest document in bytes. MongoDB stores documents of at most 16 MB; the header may be larger,
 * because it holds the indexes of all collections and the secrets of the data folder.
 */
const DOCUMENT_MAX = 64 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** What `readBackup` yields: first the header, then each record with its collection. */
export type BackupPart =
  | { readonly header: BackupHeader }
  | { readonly collection: string; readonly record: mongo.Document; readonly bytes: number };

/** Option that keeps each number as it was stored, such as a double without decimals. */
const AS_STORED = { promoteValues: false } as const;

/**
 * Reads a decompressed backup. At its end, checks the number of records and the checksum.
 *
 * @throws OperatorError when the data is no backup, is incomplete, was changed, or has another format
 *   version
 */
export async function* readBackup(chunks: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const reader = new DocumentReader(chunks);
  const header = checkHeader(await reader.next());
  yield { header };
  let records = 0;
  for (const { name: collection } of header.collections) {
    for (;;) {
      const record = await reader.next();
      if (record === null) break;
      yield { collection, record: parse(record, AS_STORED), bytes: record.length };
      records += 1;
    }
  }
  const digest = reader.digest();
  const footer = await reader.next();
  const { records: expected, sha256 } = parse(footer ?? EMPTY) as Partial<BackupFooter>;
  const isWhole = sha256 instanceof mongo.Binary && digest.equals(sha256.buffer);
  if (expected !== records || !isWhole) throw unusable();
  await reader.end();
}

/** A BSON document without fields. */
const EMPTY = Buffer.from([5, 0, 0, 0, 0]);

function checkHeader(bytes: Buffer | null): BackupHeader {
  const header = parse(bytes ?? EMPTY) as Partial<BackupHeader>;
  if (header.format !== FORMAT) throw unusable();
  if (header.formatVersion !== FORMAT_VERSION) {
    throw new OperatorError(
      `The backup has the format version ${String(header.formatVersion)}, and this version of Pressroom ` +
        `reads ${FORMAT_VERSION}: use the version that wrote it.`,
    );
  }
  const { collections, files, createdAt } = header;
  const isComplete =
    areCollections(collections) &&
    createdAt instanceof Date &&
    Object.values(files ?? { none: null }).every((text) => typeof text === 'string');
  if (!isComplete) throw unusable();
  return header as BackupHeader;
}

/** Whether a header holds what a restore reads of its collections: their names, each once, and their indexes. */
function areCollections(collections: unknown): boolean {
  if (!Array.isArray(collections)) return false;
  const stored = collections as (Partial<StoredCollection> | null)[];
  const names = stored.map((each) => each?.name);
  const indexes = stored.map((each) => each?.indexes);
  return (
    names.every((name) => typeof name === 'string') &&
    new Set(names).size === names.length &&
    indexes.every((each) => Array.isArray(each) && each.every((index) => Boolean(index)))
  );
}

/** @throws OperatorError when the bytes are no BSON document */
function parse(bytes: Buffer, options = {}): mongo.Document {
  try {
    return deserialize(bytes, options);
  } catch (error) {
    throw unusable(error);
  }
}

function unusable(cause?: unknown): OperatorError {
  return new OperatorError(
    'The file is no backup, is not whole, or was changed: use another one.',
    {
      cause,
    },
  );
}

/** Cuts a stream into BSON documents. */
class DocumentReader {
  private readonly hash = createHash('sha256');
  private readonly iterator: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.iterator = chunks[Symbol.asyncIterator]();
  }

  /**
   * @returns null at the end of a collection
   * @throws OperatorError when the stream has ended
   */
  async next(): Promise<Buffer | null> {
    await this.fill(LENGTH_BYTES);
    const length = this.rest.readInt32LE(0);
    if (length === 0) {
      this.take(LENGTH_BYTES);
      return null;
    }
    if (length <= LENGTH_BYTES || length > DOCUMENT_MAX) throw unusable();
    await this.fill(length);
    return this.take(length);
  }

  /**
   * Reads to the end of the stream, so that gunzip verifies its own checksum.
   *
   * @throws OperatorError when more bytes follow
   */
  async end(): Promise<void> {
    const { done } = await this.nextChunk();
    if (!done || this.rest.length > 0) throw unusable();
  }

  /** SHA-256 of what has been read so far. */
  digest(): Buffer {
    return this.hash.copy().digest();
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    this.hash.update(taken);
    return taken;
  }

  private async fill(length: number): Promise<void> {
    const chunks = [this.rest];
    for (let size = this.rest.length; size < length;) {
      const { value, done } = await this.nextChunk();
      if (done) throw unusable();
      chunks.push(value);
      size += value.length;
    }
    if (chunks.length > 1) this.rest = Buffer.concat(chunks);
  }

  /** @throws OperatorError when gunzip cannot decompress the data, because it is truncated or damaged */
  private async nextChunk(): Promise<IteratorResult<Buffer, void>> {
    try {
      return (await this.iterator.next()) as IteratorResult<Buffer, void>;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw code.startsWith('Z_') ? unusable(error) : error;
    }
  }
}
