import { Injectable } from '@nestjs/common';
import { WrongPasswordError } from '../auth/auth.errors.js';
import { PasswordService } from '../auth/password/password.service.js';
import { SessionService } from '../auth/session.service.js';
import { ScheduleMakers } from '../blog/schedule/schedule-makers.service.js';
import {
  toSettledSchedulesView,
  type SettledSchedulesView,
} from '../blog/schedule/settled-schedules.view.js';
import { FormerAuthorService } from '../blog/trash/former-author.service.js';
import type { Caller } from '../platform/http/access/current-user.decorator.js';
import type { RequestOrigin } from '../platform/http/client-address/origin.decorator.js';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import { DeletedAccountService } from '../user/deleted-account.service.js';
import { LastAdminService } from '../user/last-admin.service.js';
import { userChanges, UserService } from '../user/user.service.js';
import { DeleteAccountDto } from './dto/delete-account.dto.js';

/**
 * Milliseconds that a deletion waits for the purge of the blogs: a request may take five seconds in
 * all.
 */
const PURGE_MS = 2_000;

/** Deletes an account at its owner's request. */
@Injectable()
export class AccountService {
  constructor(
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly users: UserService,
    private readonly lastAdmin: LastAdminService,
    private readonly deletedAccounts: DeletedAccountService,
    private readonly formerAuthors: FormerAuthorService,
    private readonly schedules: ScheduleMakers,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * Deletes the user's record, sessions and unpublished texts. Published articles stay, with the
   * author "Former author".
   *
   * The user is deleted first and the blogs are cleaned up afterwards, so that the clean-up also
   * finds the writes of the user's concurrent requests. A request that writes later is refused, or
   * reverts its write. If the process ends before the clean-up, the next start or migration does
   * it. If the process ends during the clean-up, or a long clean-up is cut short, a background job
   * finishes it.
   *
   * @returns what has become of the user's schedules
   * @throws WrongPasswordError also when the password was changed concurrently
   * @throws LastAdminError
   * @throws TooManyRequestsError
   */
  async delete(
    caller: Caller,
    { password }: DeleteAccountDto,
    { addressPrefix }: RequestOrigin,
  ): Promise<SettledSchedulesView> {
    const account = await this.passwords.confirm(
      'accountDeletion',
      caller,
      password,
      addressPrefix,
    );
    await this.coherence.transaction(userChanges(account._id), async (transaction) => {
      await this.lastAdmin.guard(transaction, async () => {
        await this.deletedAccounts.mark(account._id, transaction);
        const removed = await this.users.remove(account, transaction);
        if (!removed) throw new WrongPasswordError();
        return () => this.users.restore(removed);
      });
      await this.sessions.endAll(account._id, transaction);
    });
    const settled = await this.schedules.settle(account._id);
    await this.formerAuthors.cleanUp(account._id, AbortSignal.timeout(PURGE_MS));
    return toSettledSchedulesView(settled);
  }
}
