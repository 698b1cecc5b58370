import type { TargetFactory } from '../row.js';

/** Forgets the devices of all sign-ins, so that the next one is from a new device. The route has no target. */
export const newDevice: TargetFactory = async ({ db }) => {
  await db.collection('known_devices').deleteMany({});
  return '';
};
