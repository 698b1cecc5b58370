import { mongo } from 'mongoose';
import { recordCollections } from '../support/mongo/mongo.js';

const { deserialize, serialize } = mongo.BSON;

export interface Change {
  readonly collection: string;
  readonly id: string;
  /** The document before and after; undefined when there was none. */
  readonly before: mongo.Document | undefined;
  readonly after: mongo.Document | undefined;
}

/** A document as it is stored, comparable as a string. */
interface Stored {
  readonly collection: string;
  readonly bytes: string;
}

/** Every document of a database at one time, to be compared with a later one, or put back. */
export class DatabaseImage {
  private constructor(private readonly documents: ReadonlyMap<string, Stored>) {}

  static async take(db: mongo.Db): Promise<DatabaseImage> {
    const documents = new Map<string, Stored>();
    // A key that is in order notes its use, whatever is refused after it.
    const projection = { lastUsedAt: 0 };
    for (const collection of await recordCollections(db)) {
      for (const document of await db.collection(collection).find({}, { projection }).toArray()) {
        const bytes = Buffer.from(serialize(document)).toString('latin1');
        documents.set(`${collection} ${String(document._id)}`, { collection, bytes });
      }
    }
    return new DatabaseImage(documents);
  }

  changesTo({ documents: later }: DatabaseImage): Change[] {
    const all = new Set([...this.documents.keys(), ...later.keys()]);
    return [...all]
      .filter((key) => this.documents.get(key)?.bytes !== later.get(key)?.bytes)
      .map((key) => {
        const [before, after] = [this.documents.get(key), later.get(key)];
        const { collection = '' } = before ?? after ?? {};
        const id = key.slice(collection.length + 1);
        return { collection, id, before: parse(before), after: parse(after) };
      });
  }
}

/** Takes changes back, one by one. */
export async function undo(db: mongo.Db, changes: readonly Change[]): Promise<void> {
  for (const { collection, before, after } of changes) {
    const _id = (before ?? after)?.['_id'] as mongo.ObjectId;
    if (before) await db.collection(collection).replaceOne({ _id }, before, { upsert: true });
    else await db.collection(collection).deleteOne({ _id });
  }
}

function parse(stored: Stored | undefined): mongo.Document | undefined {
  return stored && deserialize(Buffer.from(stored.bytes, 'latin1'));
}
