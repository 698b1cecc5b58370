import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type ClientSession, type Model } from 'mongoose';
import { AuthService } from '../../auth/auth.service.js';
import { LinkInvalidError } from '../../auth/auth.errors.js';
import { OneTimeTokens } from '../../auth/one-time-tokens/one-time-tokens.service.js';
import { PasswordService } from '../../auth/password/password.service.js';
import { SignUpPolicy } from '../../auth/sign-up-policy.service.js';
import type { SignedInView } from '../../auth/views/signed-in.view.js';
import { LinkTokenDto } from '../../auth/one-time-tokens/link-token.dto.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../platform/clock.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import { InvalidBodyError } from '../../platform/http/errors/api.errors.js';
import type { RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import type { Warned } from '../../platform/http/envelope/warned.js';
import { AddressService } from '../../user/address.service.js';
import { RoleService } from '../../user/role.service.js';
import { AlreadyRegisteredError } from '../../user/user.errors.js';
import { userChanges, UserService } from '../../user/user.service.js';
import type { UserView } from '../../user/views/user.view.js';
import { AcceptInvitationDto } from './accept-invitation.dto.js';
import { ForeignInvitationError } from './invitation.errors.js';
import { Invitation } from './invitation.schema.js';

const KIND = 'invitation';

/** Lets people accept an invitation: with a new account, or with the one that has the address. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    @InjectModel(Invitation.name) private readonly invitations: Model<Invitation>,
    private readonly tokens: OneTimeTokens,
    private readonly policy: SignUpPolicy,
    private readonly users: UserService,
    private readonly addresses: AddressService,
    private readonly roles: RoleService,
    private readonly passwords: PasswordService,
    private readonly auth: AuthService,
    private readonly database: DatabaseService,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes an account with the roles of the invitation, and signs in.
   *
   * @throws LinkInvalidError @throws SignUpClosedError @throws InvalidBodyError
   * @throws AlreadyRegisteredError if an account has the address: its owner signs in and calls `join`
   */
  async accept(
    { token, name: givenName, password }: AcceptInvitationDto,
    origin: RequestOrigin,
  ): Promise<Warned<SignedInView>> {
    this.policy.demandInvitations();
    const { email, roles, name: invitedName, ...invitation } = await this.read(token);
    if (await this.addresses.isTaken(email)) throw new AlreadyRegisteredError();
    const name = givenName ?? invitedName;
    if (name === undefined) {
      throw new InvalidBodyError([{ field: 'name', message: 'name is missing' }]);
    }
    const passwordHash = await this.passwords.hashNew(password, { email, name }, 'password');
    const roleIds = await this.roles.idsOf([...new Set(['LEARNER' as const, ...roles])]);
    const _id = new Types.ObjectId();
    await this.database.transaction(async (transaction) => {
      const actor = { userId: _id, clientPrefix: origin.addressPrefix };
      await this.close(token, invitation, actor, transaction);
      const newUser = { _id, email, name, passwordHash, roles: roleIds };
      await this.users.insert(newUser, actor, transaction);
    });
    return this.auth.openSession(_id, 0, origin);
  }

  /**
   * Adds the roles of the invitation to the caller's account, which must have the invited address.
   *
   * @throws LinkInvalidError @throws ForeignInvitationError
   */
  async join(caller: Caller, { token }: LinkTokenDto): Promise<UserView> {
    const { email, roles, ...invitation } = await this.read(token);
    const { userId } = caller;
    if ((await this.users.getView(userId)).email !== email) throw new ForeignInvitationError();
    const roleIds = await this.roles.idsOf(roles);
    await this.coherence.transaction(userChanges(userId), async (transaction) => {
      await this.close(token, invitation, caller, transaction);
      await this.users.addRoles(userId, roleIds, transaction);
    });
    return this.users.getView(userId);
  }

  /** @throws LinkInvalidError also if the admin who has invited is none any more */
  private async read(token: string): Promise<Invitation> {
    const found = await this.tokens.find(KIND, token);
    const invitation = found?.owner
      ? await this.invitations
          .findOne({ _id: found.owner, isOpen: true }, null, { hint: { _id: 1 } })
          .read('primary')
          .lean<Invitation | null>()
      : null;
    const isByAdmin = invitation && (await this.users.isEnabledWith(invitation.invitedBy, 'ADMIN'));
    if (!isByAdmin) throw new LinkInvalidError();
    return invitation;
  }

  /** @throws LinkInvalidError */
  private async close(
    token: string,
    { _id }: Pick<Invitation, '_id'>,
    actor: Pick<Caller, 'userId' | 'clientPrefix'>,
    transaction: ClientSession | null,
  ): Promise<void> {
    const used = await this.tokens.consume(KIND, token, transaction);
    const { matchedCount } = await this.invitations.updateOne(
      { _id, isOpen: true },
      { $set: { acceptedAt: this.clock.now() }, $unset: { isOpen: 1 } },
      { hint: { _id: 1 }, ...inTransaction(transaction) },
    );
    if (!used || matchedCount === 0) throw new LinkInvalidError();
    const act = { kind: 'invitation.accepted' as const, actor, subject: _id };
    await this.audit.record(act, transaction);
  }
}
