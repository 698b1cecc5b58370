import { Types } from 'mongoose';
import type { OneTimeTokenKind } from '../../../src/auth/one-time-tokens/one-time-token-kinds.js';
import { OneTimeTokens } from '../../../src/auth/one-time-tokens/one-time-tokens.service.js';
import { account, unique } from '../../support/factories.js';
import { INVALID_BODY } from '../outcomes.js';
import type { Call, Fixture, Row, TargetFactory } from '../row.js';

/** What a row has whose body carries the token of a link: the target is the token. */
export const BY_LINK = (
  ...targets: readonly TargetFactory[]
): Pick<Row, 'targets' | 'outcomes'> => ({
  ...INVALID_BODY,
  targets: [...targets, () => 'x'.repeat(43)],
});

export const token = ({ target }: Call): string => target;

/** The token of a link to an account, which changes its address to a new one or back to a former one. */
export function newAccountLink(kind: OneTimeTokenKind): TargetFactory {
  return async (fixture) => {
    const { _id, email } = await account(fixture);
    const isOwn = kind === 'emailVerification';
    const data = { email: isOwn ? email : `${unique('other')}@example.org` };
    return issue(fixture, kind, _id, data);
  };
}

/** The token of an invitation to a new address, or to that of the LEARNER. */
export function newInvitationLink(receiver: 'somebody' | 'LEARNER'): TargetFactory {
  return async (fixture) => {
    const { ADMIN, LEARNER } = fixture.people;
    const email = receiver === 'LEARNER' ? LEARNER.email : `${unique('guest')}@example.org`;
    await fixture.db.collection('invitations').deleteMany({ email });
    const invitation = { email, roles: ['LEARNER'] };
    const { body } = await ADMIN.client.post<{ _id: string }>('/admin/invitations', invitation);
    return issue(fixture, 'invitation', body.data._id);
  };
}

function issue(
  { app }: Fixture,
  kind: OneTimeTokenKind,
  owner: string,
  data?: Readonly<Record<string, string>>,
): Promise<string> {
  const options = { owner: new Types.ObjectId(owner), ...(data ? { data } : {}) };
  return app.get(OneTimeTokens).issue(kind, options);
}
