import { Types } from 'mongoose';
import { Secret, TOTP } from 'otpauth';
import { TotpService } from '../../src/auth/factors/totp.service.js';
import type { Fixture, TargetFactory } from './row.js';

/** The first code of an app that the LEARNER, who has no app and no recovery codes, has begun to enrol. */
export const codeOfNewApp: TargetFactory = async (fixture) => {
  const user = await withoutCodes(fixture);
  await fixture.db.collection('factors').deleteMany({ user, kind: 'totp' });
  await fixture.db.collection('sessions').updateMany({ user }, { $unset: { factor: 1 } });
  const begun = await fixture.app.get(TotpService).begin(user, 'ada@example.org', 'My phone');
  return new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate();
};

/** The id of a passkey of the LEARNER, who has no recovery codes. */
export const newFactor: TargetFactory = async (fixture) => {
  const user = await withoutCodes(fixture);
  const factor = { user, kind: 'passkey', name: 'My key', createdAt: new Date() };
  const { insertedId } = await fixture.db.collection('factors').insertOne(factor);
  return insertedId.toHexString();
};

async function withoutCodes({ db, people }: Fixture): Promise<Types.ObjectId> {
  const user = new Types.ObjectId(people.LEARNER._id);
  await db.collection('factors').deleteMany({ user, kind: 'recovery' });
  return user;
}
