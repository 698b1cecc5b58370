import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { Secret, TOTP } from 'otpauth';
import { TotpService } from '../../../src/auth/factors/totp.service.js';
import { OneTimeTokens } from '../../../src/auth/one-time-tokens/one-time-tokens.service.js';
import { addPasskey, Authenticator } from '../../auth/factors/authenticator.js';
import { person } from '../../support/factories.js';
import type { Fixture, TargetFactory } from '../row.js';

/** The first code of an app that the LEARNER, who has no app and no recovery codes, has begun to enrol. */
export const codeOfNewApp: TargetFactory = async (fixture) => {
  const user = await withoutCodes(fixture);
  await fixture.db.collection('factors').deleteMany({ user });
  // Another factor than the one that is enrolled, so that the session changes.
  await fixture.db.collection('sessions').updateMany({ user }, { $set: { factor: 'passkey' } });
  const begun = await fixture.app.get(TotpService).begin(user, 'ada@example.org', 'My phone');
  return new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate();
};

/** The id of a passkey of the LEARNER, who has signed in with it, and has no recovery codes. */
export const newFactor: TargetFactory = async (fixture) => {
  const user = await withoutCodes(fixture);
  const factor = { user, kind: 'passkey', name: 'My key', createdAt: new Date() };
  const { insertedId } = await fixture.db.collection('factors').insertOne(factor);
  await fixture.db.collection('sessions').updateMany({ user }, { $set: { factor: 'passkey' } });
  fixture.invalidateCaches();
  return insertedId.toHexString();
};

/** It is the same for all calls, whose effects are compared. */
const NEW_PASSKEY = new Authenticator();

/** The response of a browser that has made a passkey for the LEARNER, who has no recovery codes. */
export const responseOfNewPasskey: TargetFactory = async (fixture) => {
  const owner = await withoutCodes(fixture);
  // What an earlier call has enrolled; the passkeys of `newFactor` have no key, and stay.
  await fixture.db.collection('factors').deleteMany({ user: owner, publicKey: { $exists: true } });
  await fixture.db.collection('sessions').updateMany({ user: owner }, { $set: { factor: 'totp' } });
  const challenge = await fixture.app.get(OneTimeTokens).issue('passkeyEnrolment', { owner });
  return NEW_PASSKEY.create({ challenge }, { counter: 0 });
};

/** The response of a browser to a challenge that the server has not issued, or does not know any more. */
export const responseToOldChallenge: TargetFactory = () =>
  NEW_PASSKEY.create({ challenge: oldChallenge() }, { counter: 0 });

/** The response of a browser that has asked somebody for a passkey. */
export const responseOfPasskey: TargetFactory = async (fixture) => {
  const challenge = await fixture.app.get(OneTimeTokens).issue('passkeySignIn', {});
  return (await passkeyOfSomebody(fixture)).get({ challenge });
};

/** The server refuses this response: somebody has the passkey, but nobody has asked for it. */
export const responseOfPasskeyToOldChallenge: TargetFactory = async (fixture) =>
  (await passkeyOfSomebody(fixture)).get({ challenge: oldChallenge() });

const oldChallenge = (): string => randomBytes(32).toString('base64url');

async function passkeyOfSomebody(fixture: Fixture): Promise<Authenticator> {
  const passkey = new Authenticator();
  await addPasskey(await person(fixture), passkey);
  return passkey;
}

async function withoutCodes({ db, people }: Fixture): Promise<Types.ObjectId> {
  const user = new Types.ObjectId(people.LEARNER._id);
  await db.collection('factors').deleteMany({ user, kind: 'recovery' });
  return user;
}
