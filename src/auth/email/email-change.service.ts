import { Injectable } from '@nestjs/common';
import type { ClientSession, Types } from 'mongoose';
import { AuditService } from '../../events/audit/audit.service.js';
import { MailService } from '../../events/mail/mail.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import type { RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import { AddressService } from '../../user/address.service.js';
import { AlreadyRegisteredError } from '../../user/user.errors.js';
import { userChanges, UserService, type Credentials } from '../../user/user.service.js';
import { PersonalTokenService } from '../access-tokens/personal-token.service.js';
import { LinkInvalidError } from '../auth.errors.js';
import { FactorsService } from '../factors/factors.service.js';
import { ProviderLinks } from '../oidc/provider-links.service.js';
import { LinkMails } from '../one-time-tokens/link-mails.service.js';
import { ONE_TIME_TOKENS } from '../one-time-tokens/one-time-token-kinds.js';
import type { OneTimeToken } from '../one-time-tokens/one-time-token.schema.js';
import { OneTimeTokens } from '../one-time-tokens/one-time-tokens.service.js';
import { PasswordService } from '../password/password.service.js';
import { SessionService } from '../session/session.service.js';
import { ChangeEmailDto } from './change-email.dto.js';
import { LinkTokenDto } from '../one-time-tokens/link-token.dto.js';

/**
 * Changes the address of an account: a link to the new address confirms it, and a link to the old one takes the change
 * back for seven days, in which nobody else gets the old address.
 */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly users: UserService,
    private readonly addresses: AddressService,
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly factors: FactorsService,
    private readonly personalTokens: PersonalTokenService,
    private readonly links: ProviderLinks,
    private readonly tokens: OneTimeTokens,
    private readonly linkMails: LinkMails,
    private readonly mails: MailService,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sends a link to the new address. The account keeps its address until the link is used.
   *
   * @throws MailNotConfiguredError @throws WrongPasswordError @throws TooManyRequestsError
   * @throws AlreadyRegisteredError
   */
  async request(caller: Caller, { email, password }: ChangeEmailDto): Promise<void> {
    this.mails.demand();
    const { _id } = await this.passwords.confirm('emailChange', caller, password, 'password');
    if (await this.addresses.isTaken(email, _id)) throw new AlreadyRegisteredError();
    // Only the newest request counts.
    await this.tokens.end(_id, ['emailChange']);
    await this.linkMails.send(
      {
        mail: 'emailChange',
        token: 'emailChange',
        to: email,
        owner: _id,
        user: _id,
        data: { email },
      },
      null,
    );
  }

  /** @throws LinkInvalidError @throws AlreadyRegisteredError */
  async confirm({ token }: LinkTokenDto, { addressPrefix }: RequestOrigin): Promise<void> {
    const { account, email: to } = await this.read('emailChange', token);
    const { _id: user, email: from } = account;
    await this.coherence.transaction(userChanges(user), async (transaction) => {
      if (!(await this.tokens.consume('emailChange', token, transaction))) {
        throw new LinkInvalidError();
      }
      if (from === to) return;
      if (await this.addresses.isReserved(to, user, transaction)) {
        throw new AlreadyRegisteredError();
      }
      if (!(await this.addresses.change({ user, from, to }, transaction))) {
        throw new LinkInvalidError();
      }
      const until = this.tokens.endOf('emailUndo');
      await this.addresses.reserve(from, { user, until }, transaction);
      // Links to the former address must not open the account any more, except the one that takes the change back.
      await this.tokens.end(user, ['passwordReset', 'emailVerification'], transaction);
      const actor = { userId: user, clientPrefix: addressPrefix };
      await this.audit.record({ kind: 'email.changed', actor, subject: user }, transaction);
      await this.linkMails.send(
        {
          mail: 'emailChanged',
          token: 'emailUndo',
          to: from,
          owner: user,
          user,
          data: { email: from },
        },
        transaction,
      );
    });
  }

  /**
   * Gives the account its former address back, ends all sessions, removes the password and the factors and personal
   * access tokens of the week before and since, and sends a link for a new password to the former address.
   *
   * @throws LinkInvalidError
   */
  async undo({ token }: LinkTokenDto, { addressPrefix }: RequestOrigin): Promise<void> {
    const { account, email } = await this.read('emailUndo', token);
    const { _id: user, email: from } = account;
    await this.coherence.transaction(userChanges(user), async (transaction) => {
      const issued = await this.tokens.consume('emailUndo', token, transaction);
      if (!issued) throw new LinkInvalidError();
      const isChanged = await this.addresses.change({ user, from, to: email }, transaction);
      if (!isChanged || !(await this.users.removePassword(account, transaction))) {
        throw new LinkInvalidError();
      }
      await this.lockOut(user, { ...issued, email }, transaction);
      const actor = { userId: user, clientPrefix: addressPrefix };
      await this.audit.record({ kind: 'email.undone', actor, subject: user }, transaction);
      await this.linkMails.send(
        { mail: 'passwordReset', token: 'passwordReset', to: email, owner: user, user },
        transaction,
      );
    });
  }

  /**
   * Ends what somebody who has changed the address may hold: sessions, links, and what was added in the week before the
   * change and since. Links that take back earlier changes stay, and so do the addresses that they restore.
   */
  private async lockOut(
    user: Types.ObjectId,
    { email, createdAt, expiresAt }: OneTimeToken & { readonly email: string },
    transaction: ClientSession | null,
  ): Promise<void> {
    const since = new Date(createdAt.getTime() - ONE_TIME_TOKENS.emailUndo);
    await this.sessions.endAll(user, transaction);
    await this.factors.removeOf(user, transaction, since);
    await this.personalTokens.removeAll(user, transaction, since);
    await this.addresses.releaseSince({ user, email, until: expiresAt }, transaction);
    await this.links.removeOf(user, transaction, since);
    await this.tokens.endButUndo(user, createdAt, transaction);
  }

  /** @throws LinkInvalidError */
  private async read(
    kind: 'emailChange' | 'emailUndo',
    token: string,
  ): Promise<{ account: Credentials; email: string }> {
    const found = await this.tokens.find(kind, token);
    const account = found?.owner && (await this.users.findCredentials({ _id: found.owner }));
    const email = found?.data?.['email'];
    const isDisabled = kind === 'emailChange' && account?.status === false;
    if (!account || email === undefined || isDisabled) throw new LinkInvalidError();
    return { account, email };
  }
}
