import type { mongo } from 'mongoose';

/**
 * Removes the records of the database that exported records replace, such as those of a first start or a
 * seed: a role with the code, or a user with the email address, of an exported record with another id. Users
 * of the database get the exported role in place of the removed role. The exported user gets the password of
 * the removed user.
 */
export async function removeReplaced(
  db: mongo.Db,
  collection: string,
  records: mongo.Document[],
): Promise<void> {
  if (collection === 'roles') await removeReplacedRoles(db, records);
  if (collection === 'users') await removeReplacedUsers(db, records);
}

async function removeReplacedRoles(
  db: mongo.Db,
  records: readonly mongo.Document[],
): Promise<void> {
  const roles = db.collection('roles');
  for (const { _id, code } of records) {
    const replaced = await roles.findOne({
      code: String(code),
      _id: { $ne: _id as mongo.ObjectId },
    });
    if (!replaced) continue;
    await db
      .collection('users')
      .updateMany(
        { roles: replaced._id },
        { $set: { 'roles.$[seeded]': _id as mongo.ObjectId } },
        { arrayFilters: [{ seeded: replaced._id }] },
      );
    await roles.deleteOne({ _id: replaced._id });
  }
}

async function removeReplacedUsers(db: mongo.Db, records: mongo.Document[]): Promise<void> {
  const users = db.collection('users');
  const byEmail = new Map(records.map((record) => [String(record['email']), record]));
  const replaced = await users.find({ email: { $in: [...byEmail.keys()] } }).toArray();
  for (const { _id, email, password } of replaced) {
    const record = byEmail.get(String(email));
    if (!record || _id.equals(record['_id'] as mongo.ObjectId)) continue;
    record['password'] = password as unknown;
    await users.deleteOne({ _id });
  }
}
