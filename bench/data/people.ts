import bcrypt from 'bcryptjs';
import mongoose, { type mongo } from 'mongoose';

const { ObjectId } = mongoose.mongo;
const AUTHOR_COUNT = 50;
const BCRYPT_COST = 10;
const ID_FRONT = '5ea0';

/** Latest date of seeded records. Records with a later date come from measurements, and `seed` removes them. */
export const SEEDED_UNTIL = new Date(Date.UTC(2026, 0, 1));
/** The password of every account of the bench. */
export const PASSWORD = 'a password of the bench';
export const ADMIN = { email: 'root@bench.example', password: PASSWORD };
export const API_KEY = 'key-of-the-bench-0123456789';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** The accounts of 50 authors, who have all roles. */
export const AUTHOR_ACCOUNTS = Array.from({ length: AUTHOR_COUNT }, (_, number): Account => ({
  id: `${ID_FRONT}${number.toString(16).padStart(20, '0')}`,
  email: `author-${number}@bench.example`,
  name: `Author ${number}`,
  password: PASSWORD,
}));

/** Replaces all accounts but the admin's, because earlier measurements may have changed them. */
export async function insertPeople(db: mongo.Db): Promise<void> {
  const users = db.collection('users');
  const roles = await db.collection('roles').find().toArray();
  const roleIds = roles.map(({ _id }) => _id);
  const hash = bcrypt.hashSync(PASSWORD, BCRYPT_COST);
  await users.deleteMany({ email: { $ne: ADMIN.email } });
  await users.insertMany(
    AUTHOR_ACCOUNTS.map(({ id, email, name }) => ({
      _id: new ObjectId(id),
      email,
      name,
      password: hash,
      roles: roleIds,
      verified: false,
      status: true,
      epoch: 0,
      createdAt: SEEDED_UNTIL,
      updatedAt: SEEDED_UNTIL,
    })),
  );
}
