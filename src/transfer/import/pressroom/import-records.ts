import { mongo } from 'mongoose';
import type { Blog } from '../../../blog/core/blog.schema.js';
import type { User } from '../../../user/schemas/user.schema.js';
import { Env } from '../../../platform/config/env.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { isOnlyDuplicateKeys } from '../../../platform/database/is-duplicate-key.js';
import { MigrationService } from '../../../platform/database/migrations/migration.service.js';
import { WebhookService } from '../../../events/webhooks/webhook.service.js';
import type { ArchiveDatabase } from '../../archive-database.js';
import { EXPORTED } from '../../collection-rules.js';
import { recordLine } from '../../export/record-line.js';
import type { InputFile } from '../../input-file.js';
import { readExport } from './export-reader.js';
import { RecordCheck, type CheckedRecord } from './record-check.js';
import { removeReplaced } from './seeded-records.js';

/** The `disabledReason` of imported webhooks. */
const DISABLED_REASON = 'imported without its secret: make a new one, then switch it on';

/** Largest number of records in a batch: about 20 MB with the longest texts. */
const BATCH = 100;

export interface ImportReport {
  /** Number of records in the file, by collection. */
  readonly records: Readonly<Record<string, number>>;
  /** Number of records that the database had already. */
  readonly present: number;
  /** What was changed, because the API would not have stored it so; a line for each kind of change. */
  readonly changed: readonly string[];
  /** What the operator has to resolve, one line per record. */
  readonly unresolved: readonly string[];
}

export interface ImportOptions {
  /** Whether to check the file and the database only, and write nothing. */
  readonly isDryRun: boolean;
  /** Called with the number of records written since the last call. */
  readonly onRecords: (count: number) => void;
  /** Called with the number of records once the whole file has been checked. */
  readonly onChecked: (total: number) => void;
}

/**
 * Imports an export into a database without articles. The whole file is checked before anything is
 * written. An import that was killed can be repeated with the same file: it does not change records that
 * are stored already.
 *
 * @throws OperatorError for an invalid line, for articles in the database that the file does not contain, and
 *   for a record that conflicts with one of the database
 */
export async function importRecords(
  database: ArchiveDatabase,
  file: InputFile,
  { isDryRun, onRecords, onChecked }: ImportOptions,
): Promise<ImportReport> {
  const { EMBED_HOSTS } = database.app.get(Env);
  const check = new RecordCheck(database.connection, EMBED_HOSTS);
  const articleCount = await database.db.collection('blogs').countDocuments();
  const { records, changed, equalArticles, pictures } = await checkFile(
    readExport(file, check),
    // The articles need not be looked up one by one in a database without articles.
    articleCount === 0 ? null : database.db,
  );
  if (articleCount > equalArticles) {
    throw new OperatorError(
      `The database has articles that are not in ${file.path}: import it into an empty database.`,
    );
  }
  onChecked(EXPORTED.reduce((sum, name) => sum + (records[name] ?? 0), 0));
  const missing = await missingPictures(database.db, pictures);
  if (isDryRun) return { records, present: 0, changed, unresolved: missing };
  let present = 0;
  for await (const batch of batchesOf(readExport(file, check))) {
    present += await insert(database, batch);
    onRecords(batch.length);
  }
  const { unresolved } = await database.app.get(MigrationService).run({ dryRun: false });
  return { records, present, changed, unresolved: [...missing, ...unresolved] };
}

/** A line for the operator if articles and profiles show pictures that the database does not have. */
async function missingPictures(db: mongo.Db, pictures: ReadonlySet<string>): Promise<string[]> {
  const ids = [...pictures].map((id) => new mongo.ObjectId(id));
  const found =
    ids.length === 0 ? 0 : await db.collection('media').countDocuments({ _id: { $in: ids } });
  const count = ids.length - found;
  if (count === 0) return [];
  return [
    `${count} pictures that articles or profiles show are missing: an export holds none, restore a backup or upload them`,
  ];
}

interface CheckedFile extends Pick<ImportReport, 'records' | 'changed'> {
  readonly equalArticles: number;
  /** The ids of the pictures that its articles and profiles show, in hex. */
  readonly pictures: ReadonlySet<string>;
}

/**
 * Counts the records of the file, and its articles that the database holds with the same fields.
 *
 * @param db database in which the articles are looked up; null if it has no articles
 */
async function checkFile(
  checkedRecords: AsyncIterable<CheckedRecord>,
  db: mongo.Db | null,
): Promise<CheckedFile> {
  const records: Record<string, number> = Object.fromEntries(EXPORTED.map((name) => [name, 0]));
  const changes = new Map<string, number>();
  const pictures = new Set<string>();
  let equalArticles = 0;
  for await (const batch of batchesOf(checkedRecords)) {
    for (const each of batch) {
      for (const id of picturesOf(each.record)) pictures.add(id);
      records[each.collection] = (records[each.collection] ?? 0) + 1;
      for (const change of each.changes) {
        const kind = `${each.collection}: ${change}`;
        changes.set(kind, (changes.get(kind) ?? 0) + 1);
      }
    }
    if (db && batch[0]?.collection === 'blogs') equalArticles += await countEqual(db, batch);
  }
  const changed = [...changes].map(([kind, count]) => `${kind} (${count})`);
  return { records, changed, equalArticles, pictures };
}

/** The ids of the pictures that an article shows, to readers or its author, or a profile. */
function picturesOf(record: mongo.Document): string[] {
  const versions = [record, record['live']] as readonly (
    (Pick<Blog, 'pictures' | 'cover'> & Pick<User, 'picture'>) | undefined
  )[];
  return versions.flatMap((version) => [
    ...(version?.pictures ?? []).map(String),
    ...(version?.cover ? [version.cover.media] : []),
    ...(version?.picture ? [version.picture.media] : []),
  ]);
}

/** @returns the number of articles of the batch that the database holds with the same fields */
async function countEqual(db: mongo.Db, batch: readonly CheckedRecord[]): Promise<number> {
  const ids = batch.map(({ record }) => record['_id'] as mongo.ObjectId);
  const stored = await db
    .collection('blogs')
    .find({ _id: { $in: ids } }, { projection: { 'live.words': 0 } })
    .toArray();
  const lines = new Set(stored.map((record) => recordLine('blogs', record)));
  return batch.filter(({ record }) => lines.has(recordLine('blogs', record))).length;
}

/** @returns the number of records that were stored already */
async function insert(database: ArchiveDatabase, batch: readonly CheckedRecord[]): Promise<number> {
  const collection = String(batch[0]?.collection);
  const records = batch.map(({ record }) => record);
  await removeReplaced(database.db, collection, records);
  const completed =
    collection === 'webhooks'
      ? records.map((record) => ({
          ...record,
          ...database.app.get(WebhookService, { strict: false }).importedFields(DISABLED_REASON),
        }))
      : records;
  try {
    await database.db.collection(collection).insertMany(completed, { ordered: false });
    return 0;
  } catch (error) {
    if (!isOnlyDuplicateKeys(error)) throw error;
    const { writeErrors } = error;
    const refused = [writeErrors].flat();
    const conflict = refused.find(({ errmsg = '' }) => !errmsg.includes('index: _id_ '));
    if (conflict) {
      throw new OperatorError(
        `A record conflicts with one of the database (${conflict.errmsg}): import into an empty database.`,
        { cause: error },
      );
    }
    return refused.length;
  }
}

/** Groups records in batches of one collection each. */
async function* batchesOf(records: AsyncIterable<CheckedRecord>): AsyncGenerator<CheckedRecord[]> {
  let batch: CheckedRecord[] = [];
  for await (const each of records) {
    if (batch.length >= BATCH || (batch[0] && batch[0].collection !== each.collection)) {
      yield batch;
      batch = [];
    }
    batch.push(each);
  }
  if (batch.length > 0) yield batch;
}
