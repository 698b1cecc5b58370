import { Types } from 'mongoose';
import type { TargetFactory } from '../row.js';

/** The address of somebody with the most sessions, who has signed in from no device yet. */
export const personOnNewDevice: TargetFactory = async ({ db, people }) => {
  const { _id, email } = people.userWithMaxSessions;
  await db.collection('known_devices').deleteMany({ user: new Types.ObjectId(_id) });
  return email;
};
