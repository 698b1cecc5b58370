import { Types } from 'mongoose';
import type { KnownDevice } from '../../../src/auth/session/devices/known-device.schema.js';
import type { TargetFactory } from '../row.js';

/** Forgets the devices of all sign-ins, so that the next one is from a new device. The route has no target. */
export const newDevice: TargetFactory = async ({ db }) => {
  await db.collection('known_devices').deleteMany({});
  return '';
};

/** The user who signs in has used another device before, and so is told of a new one. */
export const furtherDevice: TargetFactory = async (fixture) => {
  const user = new Types.ObjectId(fixture.userWithMaxSessions._id);
  await newDevice(fixture);
  await fixture.db
    .collection<KnownDevice>('known_devices')
    .insertOne({ _id: 'another', user, createdAt: new Date() });
  return '';
};
