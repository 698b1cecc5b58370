import type { mongo } from 'mongoose';

/**
 * Removes the records that exported ones with another id replace, such as those of a first start or a
 * seed: a role with the same code, or a user with the same email address. Users of the database get
 * the exported role in place of the removed role. The exported user gets the password of the removed
 * user. No other record is removed.
 */
export async function makeWayFor(
  db: mongo.Db,
  collection: string,
  records: mongo.Document[],
): Promise<void> {
  if (collection === 'roles') await makeWayForRoles(db, records);
  if (collection === 'users') await makeWayForUsers(db, records);
}

async function makeWayForRoles(db: mongo.Db, records: readonly mongo.Document[]): Promise<void> {
  const roles = db.collection('roles');
  for (const { _id, code } of records) {
    const seeded = await roles.findOne({ code: String(code), _id: { $ne: _id as mongo.ObjectId } });
    if (!seeded) continue;
    await db
      .collection('users')
      .updateMany(
        { roles: seeded._id },
        { $set: { 'roles.$[seeded]': _id as mongo.ObjectId } },
        { arrayFilters: [{ seeded: seeded._id }] },
      );
    await roles.deleteOne({ _id: seeded._id });
  }
}

async function makeWayForUsers(db: mongo.Db, records: mongo.Document[]): Promise<void> {
  const users = db.collection('users');
  const byEmail = new Map(records.map((record) => [String(record['email']), record]));
  const seeded = await users.find({ email: { $in: [...byEmail.keys()] } }).toArray();
  for (const { _id, email, password } of seeded) {
    const record = byEmail.get(String(email));
    if (!record || _id.equals(record['_id'] as mongo.ObjectId)) continue;
    record['password'] = password as unknown;
    await users.deleteOne({ _id });
  }
}
