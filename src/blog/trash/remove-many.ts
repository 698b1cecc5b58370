import type { mongo } from 'mongoose';

/** Largest number of records that one command removes. */
const MAX = 1_000;

/**
 * Removes all records that match, in several commands if there are many. The call may be repeated.
 *
 * @param before does what has to precede the removal of these records
 */
export async function removeMany<Stored extends mongo.Document>(
  records: { readonly collection: unknown },
  filter: mongo.Filter<Stored>,
  fields: mongo.Document = { _id: 1 },
  before: (found: readonly mongo.WithId<Stored>[]) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const collection = records.collection as mongo.Collection<Stored>;
  for (;;) {
    const options = { projection: fields, limit: MAX, readPreference: 'primary' } as const;
    const found = await collection.find(filter, options).toArray();
    if (found.length > 0) {
      await before(found);
      await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } } as typeof filter);
    }
    if (found.length < MAX) return;
  }
}
