import type { Connection, Model, mongo } from 'mongoose';
import type { Env } from '../../../platform/config/env.js';
import { InvalidBodyError } from '../../../platform/http/errors/api.errors.js';
import { COLLECTION_RULES, EXPORTED } from '../../collection-rules.js';
import type { ExportLine } from '../../export/record-line.js';
import { checkValues } from './checked-values.js';
import { RECORD_RULES } from './record-rules.js';

export interface CheckedRecord {
  readonly collection: string;
  readonly record: mongo.Document;
  /** What the check has changed, as far as the operator should know. */
  readonly changes: readonly string[];
}

/** Checks records as the API does, and brings them into the form that it would have stored. */
export class RecordCheck {
  private readonly models: ReadonlyMap<string, Model<unknown>>;

  constructor(
    connection: Connection,
    private readonly hosts: Env['EMBED_HOSTS'],
  ) {
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
    const name = model.collection.collectionName;
    const fitted = await fitToSchema(model, record);
    checkValues(fitted);
    const changes = new Set<string>();
    const report = (change: string) => changes.add(change);
    try {
      const checked = (await RECORD_RULES[name]?.(fitted, report, this.hosts)) ?? fitted;
      return { collection: name, record: checked, changes: [...changes] };
    } catch (error) {
      if (!(error instanceof InvalidBodyError)) throw error;
      throw new Error(error.message.replace(/^validation error: /, ''), { cause: error });
    }
  }

  /** The paths of a collection that no two of its records share. */
  uniquePaths(collection: string): readonly string[] {
    const indexes = this.models.get(collection)?.schema.indexes() ?? [];
    const unique = indexes.filter(([, { unique }]) => unique === true);
    return ['_id', ...unique.flatMap(([keys]) => Object.keys(keys))];
  }
}

/** @throws Error that says what does not fit, without a full stop */
async function fitToSchema(
  model: Model<unknown>,
  record: mongo.Document | undefined,
): Promise<mongo.Document> {
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
  return document.toObject<mongo.Document>({ minimize: false });
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}
