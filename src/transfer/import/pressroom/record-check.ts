import type { Connection, Model, mongo } from 'mongoose';
import { COLLECTION_RULES, EXPORTED } from '../../collection-rules.js';
import type { ExportLine } from '../../export/record-line.js';

export interface CheckedRecord {
  readonly collection: string;
  readonly record: mongo.Document;
}

/** Checks records against the schemas of this version. */
export class RecordCheck {
  private readonly models: ReadonlyMap<string, Model<unknown>>;

  constructor(connection: Connection) {
    this.models = new Map(
      Object.values(connection.models).map((model) => [model.collection.collectionName, model]),
    );
  }

  /**
   * @returns the record with the types of its schema
   * @throws Error that says what is wrong, without a full stop
   */
  async check(line: unknown): Promise<CheckedRecord> {
    const { collection, record } = (line ?? {}) as Partial<ExportLine>;
    const model = this.models.get(String(collection));
    if (!model || !EXPORTED.includes(model.collection.collectionName)) {
      throw new Error(`"${String(collection)}" is no collection of an export`);
    }
    const { without = [] } = COLLECTION_RULES[model.collection.collectionName] ?? {};
    const excluded = without.find((path) => valueAt(record, path) !== undefined);
    if (excluded !== undefined) throw new Error(`an export holds no field "${excluded}"`);
    if (record?.['_id'] === undefined) throw new Error('the record has no _id');
    const document = new model(record, undefined, { defaults: false });
    // A tombstone lacks required fields of a blog, so only the fields that it has are checked.
    const isTombstone = record['removed'] === true;
    await (isTombstone
      ? document.validate(Object.keys(record))
      : document.validate({ pathsToSkip: [...without] }));
    const checked = document.toObject<mongo.Document>({ minimize: false });
    return { collection: model.collection.collectionName, record: checked };
  }
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}
