import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { InvitationsService } from '../admin/invitations/invitations.service.js';
import { FactorsService } from '../auth/factors/factors.service.js';
import { KnownDevices } from '../auth/session/devices/known-devices.service.js';
import { ProviderLinks } from '../auth/oidc/provider-links.service.js';
import { OneTimeTokens } from '../auth/one-time-tokens/one-time-tokens.service.js';
import { NoticeStore } from '../events/notices/store/notice-store.service.js';
import { MailOutbox } from '../events/mail/outbox/mail-outbox.service.js';
import { AddressService } from '../user/address.service.js';
import { PersonalTokenService } from '../auth/access-tokens/personal-token.service.js';
import { WrongPasswordError } from '../auth/auth.errors.js';
import { PasswordService } from '../auth/password/password.service.js';
import { SessionService } from '../auth/session/session.service.js';
import { AuditService } from '../events/audit/audit.service.js';
import { ScheduleMakers } from '../blog/schedule/schedule-makers.service.js';
import { toSettledSchedulesView } from '../blog/schedule/settled-schedules.view.js';
import { AccountJobs } from '../blog/jobs/account-jobs.service.js';
import { MediaOwners } from '../blog/media/use/media-owners.service.js';
import { FormerAuthorService } from '../blog/trash/former-author.service.js';
import type { Caller } from '../platform/http/access/current-user.decorator.js';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import { DeletedAccountService } from '../user/deleted-account.service.js';
import { LastAdminService } from '../user/last-admin.service.js';
import { userChanges, UserService, type Credentials } from '../user/user.service.js';
import type { DeletedAccountView } from './deleted-account.view.js';
import { DeleteAccountDto } from './dto/delete-account.dto.js';

/** Deletes an account at its owner's request. */
@Injectable()
export class AccountService {
  constructor(
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly tokens: PersonalTokenService,
    private readonly users: UserService,
    private readonly lastAdmin: LastAdminService,
    private readonly deletedAccounts: DeletedAccountService,
    private readonly jobs: AccountJobs,
    private readonly formerAuthors: FormerAuthorService,
    private readonly schedules: ScheduleMakers,
    private readonly oneTimeTokens: OneTimeTokens,
    private readonly factors: FactorsService,
    private readonly devices: KnownDevices,
    private readonly links: ProviderLinks,
    private readonly outbox: MailOutbox,
    private readonly notices: NoticeStore,
    private readonly media: MediaOwners,
    private readonly invitations: InvitationsService,
    private readonly addresses: AddressService,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Deletes the user's record, sessions and tokens, and adds the job that removes the unpublished texts. From the answer on
   * nobody finds them (see FormerAuthorService). Published articles stay, with the author "Former author".
   *
   * @returns what has become of the user's schedules, and the job
   * @throws WrongPasswordError also when the password was changed concurrently
   * @throws LastAdminError
   * @throws TooManyRequestsError
   */
  async delete(caller: Caller, { password }: DeleteAccountDto): Promise<DeletedAccountView> {
    const account = await this.passwords.confirm('accountDeletion', caller, password, 'password');
    let job = '';
    await this.coherence.transaction(userChanges(account._id), async (transaction) => {
      await this.lastAdmin.guard(transaction, async () => {
        await this.deletedAccounts.mark(account, transaction);
        const removed = await this.users.remove(account, transaction);
        if (!removed) throw new WrongPasswordError();
        return () => this.users.restore(removed);
      });
      const added = { kind: 'accountDeletion', from: account._id } as const;
      job = (await this.jobs.add(added, transaction))._id.toHexString();
      await this.sessions.endAll(account._id, transaction);
      await this.removeAccess(account, transaction);
      const act = { kind: 'user.deleted', actor: caller, subject: account._id } as const;
      await this.audit.record(act, transaction);
    });
    const settled = await this.schedules.settle(account._id);
    await this.formerAuthors.announce(account._id);
    this.jobs.wake();
    return { ...toSettledSchedulesView(settled), job };
  }

  /** Removes what else belongs to the account and is not an article: tokens, factors, links, notices,
   * unsent mails and invitations. */
  private async removeAccess(
    account: Credentials,
    transaction: ClientSession | null,
  ): Promise<void> {
    const user = account._id;
    await this.tokens.removeAll(user, transaction);
    await this.factors.removeOf(user, transaction);
    await this.devices.removeOf(user, transaction);
    await this.links.removeOf(user, transaction);
    await this.oneTimeTokens.endAll(user, transaction);
    await this.outbox.removeUnsent(user, transaction);
    await this.notices.removeOf(user, transaction);
    await this.media.leave(user, transaction);
    await this.invitations.removeOf(account, transaction);
    await this.addresses.release(user, transaction);
  }
}
