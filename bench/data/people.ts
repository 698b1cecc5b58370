import bcrypt from 'bcryptjs';
import mongoose, { type mongo } from 'mongoose';

const { ObjectId } = mongoose.mongo;
const AUTHORS = 50;
/** A session each, and no more than twenty of one user, so that many sign-ins open many sessions. */
const READERS = 1_000;
const BCRYPT_COST = 10;
const ID_FRONT = { Author: '5ea0', Reader: '5ea1' };

/** Whatever is written later was written by a measurement, and is removed before the next one. */
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

/** 50 authors, who hold all roles. */
export const AUTHOR_ACCOUNTS = accounts('Author', AUTHORS);
/** 1,000 accounts that only sign in. */
export const READER_ACCOUNTS = accounts('Reader', READERS);

function accounts(kind: keyof typeof ID_FRONT, count: number): Account[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `${ID_FRONT[kind]}${number.toString(16).padStart(20, '0')}`,
    email: `${kind.toLowerCase()}-${number}@bench.example`,
    name: `${kind} ${number}`,
    password: PASSWORD,
  }));
}

/** Writes all accounts anew, whatever earlier measurements did to them. */
export async function insertPeople(db: mongo.Db): Promise<void> {
  const users = db.collection('users');
  const roles = await db.collection('roles').find().toArray();
  const all = roles.map(({ _id }) => _id);
  const learner = roles.filter(({ code }) => code === 'LEARNER').map(({ _id }) => _id);
  // One hash for all: checking it takes as long as checking a thousand different ones.
  const hash = bcrypt.hashSync(PASSWORD, BCRYPT_COST);
  const userOf =
    (roleIds: mongo.ObjectId[]) =>
    ({ id, email, name }: Account) => ({
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
    });
  await users.deleteMany({ email: { $ne: ADMIN.email } });
  await users.insertMany([
    ...AUTHOR_ACCOUNTS.map(userOf(all)),
    ...READER_ACCOUNTS.map(userOf(learner)),
  ]);
}
