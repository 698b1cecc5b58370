import { mongo } from 'mongoose';
import { recordCollections } from '../support/mongo/mongo.js';

const { deserialize } = mongo.BSON;

export interface Change {
  readonly collection: string;
  readonly id: string;
  /** The document before and after; undefined where it did not exist. */
  readonly before: mongo.Document | undefined;
  readonly after: mongo.Document | undefined;
}

/** A document as it is stored, comparable as a string. */
interface StoredDocument {
  readonly collection: string;
  readonly bytes: string;
}

/** The records of a database at one time, without `lastUsedAt`, to be compared with a later image. */
export class DatabaseImage {
  private constructor(private readonly documents: ReadonlyMap<string, StoredDocument>) {}

  static async take(db: mongo.Db): Promise<DatabaseImage> {
    const documents = new Map<string, StoredDocument>();
    // The last use of a valid key is stored even if the request is refused later.
    const projection = { lastUsedAt: 0 };
    const readAll = async (collection: string): Promise<void> => {
      // Raw bytes, because parsing every document each time would take most of the tests' time.
      const found = await db.collection(collection).find({}, { projection, raw: true }).toArray();
      for (const document of found as unknown as Buffer[]) {
        const bytes = document.toString('latin1');
        documents.set(`${collection} ${idOf(bytes)}`, { collection, bytes });
      }
    };
    await Promise.all((await recordCollections(db)).map(readAll));
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

/** A cache of ids by the bytes of the document, because most documents are the same in every image. */
const ids = new Map<string, string>();

function idOf(bytes: string): string {
  const known = ids.get(bytes);
  if (known !== undefined) return known;
  const id = String(parse({ bytes })?.['_id']);
  ids.set(bytes, id);
  return id;
}

export async function undo(db: mongo.Db, changes: readonly Change[]): Promise<void> {
  const undoOne = async ({ collection, before, after }: Change): Promise<void> => {
    const _id = (before ?? after)?.['_id'] as mongo.ObjectId;
    if (before) await db.collection(collection).replaceOne({ _id }, before, { upsert: true });
    else await db.collection(collection).deleteOne({ _id });
  };
  // Added documents are removed first: their unique keys may be those of documents that are restored afterwards.
  await Promise.all(changes.filter(({ before }) => !before).map(undoOne));
  await Promise.all(changes.filter(({ before }) => before).map(undoOne));
}

function parse(stored: Pick<StoredDocument, 'bytes'> | undefined): mongo.Document | undefined {
  return stored && deserialize(Buffer.from(stored.bytes, 'latin1'));
}
