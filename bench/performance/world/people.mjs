import bcrypt from 'bcryptjs';
import mongoose from 'mongoose';
import { SEEDED_UNTIL } from './records.mjs';

const { ObjectId } = mongoose.mongo;
const AUTHORS = 50;
/** A session each, and no more than twenty of one user, so that a storm opens many. */
const READERS = 1_000;
const BCRYPT_COST = 10;
const ID_FRONT = { author: '5ea0', reader: '5ea1' };

/** The password of every account of the bench. */
export const PASSWORD = 'a password of the bench';
export const ADMIN = { email: 'root@bench.example', password: PASSWORD };
export const API_KEY = 'key-of-the-bench-0123456789';

/** 50 authors, who hold all roles. */
export const AUTHOR_ACCOUNTS = accounts('author', AUTHORS);
/** 1,000 accounts that only sign in. */
export const READER_ACCOUNTS = accounts('reader', READERS);

function accounts(kind, count) {
  return Array.from({ length: count }, (_, number) => ({
    _id: new ObjectId(`${ID_FRONT[kind]}${number.toString(16).padStart(20, '0')}`),
    email: `${kind}-${number}@bench.example`,
    name: `${kind === 'author' ? 'Author' : 'Reader'} ${number}`,
    password: PASSWORD,
  }));
}

/** Writes all accounts anew, whatever earlier measurements did to them. */
export async function insertPeople(db) {
  const users = db.collection('users');
  const roles = await db.collection('roles').find().toArray();
  const all = roles.map(({ _id }) => _id);
  const learner = roles.filter(({ code }) => code === 'LEARNER').map(({ _id }) => _id);
  // One hash for all: checking it takes as long as checking a thousand different ones.
  const hash = bcrypt.hashSync(PASSWORD, BCRYPT_COST);
  const userOf = (roleIds) => (account) => ({
    ...account,
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
