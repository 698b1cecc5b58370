import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/current-user.decorator.js';
import { InvalidBodyError } from '../../common/http/errors/api.errors.js';
import type { RequestOrigin } from '../../common/http/client-address/origin.decorator.js';
import { CacheCoherenceService } from '../../cache/cache-coherence.service.js';
import { LoginThrottleService } from '../../rate-limit/login-throttle.service.js';
import { RateLimitService, type LimitedAction } from '../../rate-limit/rate-limit.service.js';
import { userChanges, UserService, type Credentials } from '../../user/user.service.js';
import { WrongPasswordError } from '../auth.errors.js';
import { ChangePasswordDto } from '../dto/change-password.dto.js';
import { SessionService } from '../session.service.js';
import { PasswordHasher } from './password-hasher.js';
import { namesItsOwner, type PasswordOwner } from './password-owner.js';

/** What takes the password of somebody who is signed in. */
type ConfirmedAction = Extract<LimitedAction, 'passwordChange' | 'accountDeletion'>;

/** Checks presented passwords, slowing down whoever guesses, and accepts new ones. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UserService,
    private readonly hasher: PasswordHasher,
    private readonly sessions: SessionService,
    private readonly coherence: CacheCoherenceService,
    private readonly guesses: LoginThrottleService,
    private readonly limits: RateLimitService,
  ) {}

  /**
   * The account with this address and password. Unknown, disabled and wrong are one answer, after
   * the same work.
   *
   * @throws TooManyRequestsError after too many wrong ones @throws UnavailableError
   */
  async findAccount(email: string, password: string, network: string): Promise<Credentials | null> {
    return this.guesses.attempt({ email, network }, async () => {
      const account = await this.users.findCredentials({ email });
      const isMatch = await this.hasher.matches(password, account?.password ?? null);
      if (!account || !isMatch || account.status === false) return null;
      if (this.hasher.isOutdated(account.password)) {
        const newHash = await this.hasher.hash(password);
        await this.users.replaceHash(account._id, account.password, newHash);
      }
      return account;
    });
  }

  /**
   * Asks somebody who is signed in for their password again, before what cannot be undone. That is
   * counted by account and network: whoever holds a stolen token keeps neither the neighbours from
   * it, nor the owner who comes from elsewhere.
   *
   * @param network address prefix of the caller
   * @throws WrongPasswordError @throws TooManyRequestsError @throws UnavailableError
   */
  async confirm(
    action: ConfirmedAction,
    { userId }: Caller,
    password: string,
    network: string,
  ): Promise<Credentials> {
    await this.limits.count(action, `${userId.toHexString()}:${network}`);
    const account = await this.users.findCredentials({ _id: userId });
    if (!account) throw new WrongPasswordError();
    const confirmed = await this.guesses.attempt({ email: account.email, network }, async () =>
      (await this.hasher.matches(password, account.password)) ? account : null,
    );
    if (!confirmed) throw new WrongPasswordError();
    return confirmed;
  }

  /**
   * @param field of the request, for the error
   * @returns the hash of a password that may be used
   * @throws InvalidBodyError for one of the common passwords, the owner's address or name
   */
  async hashNew(password: string, owner: PasswordOwner, field: string): Promise<string> {
    const problem = await this.problemOf(password, owner);
    if (problem !== null) throw new InvalidBodyError([{ field, message: `${field} ${problem}` }]);
    return this.hasher.hash(password);
  }

  /**
   * Ends all other sessions, also one that a sign-in with the old password is about to open: the
   * epoch counts up with the password.
   *
   * @throws InvalidBodyError @throws WrongPasswordError also when it has just been changed
   */
  async change(
    caller: Caller,
    { currentPassword, newPassword }: ChangePasswordDto,
    { addressPrefix }: RequestOrigin,
  ): Promise<void> {
    const account = await this.confirm('passwordChange', caller, currentPassword, addressPrefix);
    const hash = await this.hashNew(newPassword, account, 'newPassword');
    await this.coherence.transaction(userChanges(account._id), async (transaction) => {
      const epoch = await this.users.changePassword(account, hash, transaction);
      if (epoch === null) throw new WrongPasswordError();
      await this.sessions.carryOver(caller, epoch, transaction);
    });
  }

  private async problemOf(password: string, owner: PasswordOwner): Promise<string | null> {
    if (namesItsOwner(password, owner)) return 'must not be your address or name';
    const isCommon = await this.hasher.isCommon(password);
    return isCommon ? 'is one of the most common passwords: choose another one' : null;
  }
}
