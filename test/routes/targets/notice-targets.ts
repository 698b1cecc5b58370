import { Types } from 'mongoose';
import type { TestApp } from '../../support/start-app.js';
import type { TargetFactory } from '../row.js';

let seq = 0;

/** Stores an unread notice of a user. */
export async function storeNotice({ db }: Pick<TestApp, 'db'>, user: string): Promise<void> {
  seq += 1;
  await db.collection<{ _id: number }>('notices').insertOne({
    _id: seq,
    user: new Types.ObjectId(user),
    kind: 'invited',
    cause: new Types.ObjectId().toHexString(),
    createdAt: new Date(),
    unread: true,
  } as { _id: number });
}

/** Stores an unread notice of the LEARNER. The path has no parameter. */
export const newNotice: TargetFactory = async (fixture) => {
  await storeNotice(fixture, fixture.people.LEARNER._id);
  return '';
};
