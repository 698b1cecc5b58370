import type { mongo } from 'mongoose';

/**
 * Removes records that a first start, or a seed, has inserted, if the export has records for the
 * same: a role with the same code, a user with the same email address. The users of the database
 * get the role of the export, and the user of the export gets the password of the database. No
 * other record is removed.
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
