import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { MailService } from '../../events/mail/mail.service.js';
import { Clock } from '../../platform/clock.js';
import { AuditService, NOBODY } from '../../events/audit/audit.service.js';
import { RefusedSignIns } from '../../events/audit/refused-sign-ins.service.js';
import type { Caller, SessionCaller } from '../../platform/http/access/current-user.decorator.js';
import { InvalidBodyError } from '../../platform/http/errors/api.errors.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { LoginThrottleService } from '../../platform/rate-limit/login-throttle.service.js';
import {
  RateLimitService,
  type LimitedAction,
} from '../../platform/rate-limit/rate-limit.service.js';
import { UserNotFoundError } from '../../user/user.errors.js';
import { userChanges, UserService, type Credentials } from '../../user/user.service.js';
import { WrongCodeError, WrongPasswordError } from '../auth.errors.js';
import { SignInDto } from '../dto/sign-in.dto.js';
import { SecondFactor, type FactorCheck } from '../factors/second-factor.service.js';
import { ChangePasswordDto } from '../dto/change-password.dto.js';
import { ENDED_BY_NEW_PASSWORD } from '../one-time-tokens/one-time-token-kinds.js';
import { OneTimeTokens } from '../one-time-tokens/one-time-tokens.service.js';
import { SessionService } from '../session/session.service.js';
import { PasswordHasher } from './password-hasher.js';
import { namesItsOwner, type PasswordOwner } from './password-owner.js';

/** Actions that a signed-in user confirms with the password. */
type ConfirmedAction = Extract<
  LimitedAction,
  'passwordChange' | 'emailChange' | 'factorChange' | 'accountDeletion'
>;

/** Milliseconds after a sign-in by passkey or provider in which it confirms an action, instead of the password. */
const PRESENCE_MS = 300_000;

/** An account whose owner has proved the password, and the second factor if there is one. */
export type SignInAccount = Credentials & Pick<FactorCheck, 'factor'>;

/** Checks passwords under login throttling, and validates and hashes new ones. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UserService,
    private readonly hasher: PasswordHasher,
    private readonly sessions: SessionService,
    private readonly coherence: CacheCoherenceService,
    private readonly throttle: LoginThrottleService,
    private readonly limits: RateLimitService,
    private readonly secondFactor: SecondFactor,
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailService,
    private readonly clock: Clock,
    private readonly refused: RefusedSignIns,
    private readonly audit: AuditService,
  ) {}

  /**
   * Finds the account with this email address and password, and checks its second factor.
   *
   * @param clientPrefix IP prefix of the client
   * @returns null when the address is unknown, the account is disabled or has no password, or the
   *   password is wrong; each case takes the same time
   * @throws SecondFactorRequiredError when the password is right and the code of the second factor is missing
   * @throws WrongCodeError when the password is right and the code is wrong, which counts as a wrong password
   * @throws TooManyRequestsError during a lockout
   * @throws UnavailableError
   */
  async findAccount(
    { email, password, code }: SignInDto,
    clientPrefix: string,
  ): Promise<SignInAccount | null> {
    let isCodeWrong = false;
    const found = await this.throttle.attempt({ email, clientPrefix }, async () => {
      const account = await this.users.findCredentials({ email });
      const hash = account?.password ?? null;
      const isMatch = await this.hasher.matches(password, hash);
      if (!account || hash === null || !isMatch || account.status === false) {
        this.refused.count(account?._id ?? null, clientPrefix);
        return null;
      }
      if (this.hasher.isOutdated(hash)) {
        await this.users.replaceHash(account._id, hash, await this.hasher.hash(password));
      }
      // Codes are short, so they are throttled over all client prefixes as well.
      const id = account._id.toHexString();
      const check = await this.secondFactor.check(account._id, code, (attempt) =>
        this.throttle.attempt({ email: `code of ${id}`, clientPrefix: id }, attempt),
      );
      isCodeWrong = !check;
      if (!check) {
        this.refused.count(account._id, clientPrefix);
        return null;
      }
      const { factor } = check;
      return { ...account, ...(factor ? { factor } : {}) };
    });
    if (isCodeWrong) throw new WrongCodeError();
    return found;
  }

  /**
   * Checks that the owner of an account is present, before an action that cannot be undone: by the password, or
   * without one by a sign-in with a passkey or a provider in the last five minutes. The rate limit counts by account
   * and client prefix, so that a stolen token blocks neither other accounts in the client prefix nor the owner in
   * another client prefix.
   *
   * @param password undefined if the request has none
   * @param field name of the password in the request, for the error
   * @throws FactorNeededError if the account has a second factor that the session has not proved
   * @throws WrongPasswordError
   * @throws InvalidBodyError if there is neither a password nor such a sign-in
   * @throws TooManyRequestsError
   * @throws UnavailableError
   */
  async confirm(
    action: ConfirmedAction,
    caller: Caller,
    password: string | undefined,
    field: string,
  ): Promise<Credentials> {
    const { userId, clientPrefix, confirmedAt } = caller;
    await this.limits.count(action, `${userId.toHexString()}:${clientPrefix}`);
    await this.secondFactor.demandOf(caller);
    const account = await this.users.findCredentials({ _id: userId });
    if (!account) throw new WrongPasswordError();
    if (password === undefined) {
      const age = this.clock.now().getTime() - (confirmedAt?.getTime() ?? -Infinity);
      if (age <= PRESENCE_MS) return account;
      const message = `${field} is missing, and you have not signed in by a passkey or a provider in the last five minutes`;
      throw new InvalidBodyError([{ field, message }]);
    }
    const confirmed = await this.throttle.attempt(
      { email: account.email, clientPrefix },
      async () =>
        (await this.hasher.matches(password, account.password ?? null)) ? account : null,
    );
    if (!confirmed) throw new WrongPasswordError();
    return confirmed;
  }

  /**
   * Validates and hashes a new password.
   *
   * @param field name of the field in the request, for the error
   * @throws InvalidBodyError when it is a common password, or the owner's email address or name
   */
  async hashNew(password: string, owner: PasswordOwner, field: string): Promise<string> {
    const problem = await this.problemOf(password, owner);
    if (problem !== null) throw new InvalidBodyError([{ field, message: `${field} ${problem}` }]);
    return this.hasher.hash(password);
  }

  /**
   * Changes the password and ends all other sessions. The user's epoch increases in the same write,
   * so a session that a concurrent sign-in opens with the old password is invalid as well.
   *
   * @throws InvalidBodyError @throws TooManyRequestsError
   * @throws WrongPasswordError also when the password was changed concurrently
   */
  async change(
    caller: SessionCaller,
    { currentPassword, newPassword }: ChangePasswordDto,
  ): Promise<void> {
    const field = 'currentPassword';
    const account = await this.confirm('passwordChange', caller, currentPassword, field);
    const hash = await this.hashNew(newPassword, account, 'newPassword');
    await this.coherence.transaction(userChanges(account._id), async (transaction) => {
      const epoch = await this.replace(account, hash, transaction);
      if (epoch === null) throw new WrongPasswordError();
      await this.sessions.carryOver(caller, epoch, transaction);
      const act = { kind: 'password.changed', actor: caller, subject: account._id } as const;
      await this.audit.record(act, transaction);
    });
  }

  /**
   * Sets the password of an account at the operator's request, and ends all its sessions.
   *
   * @throws InvalidBodyError
   * @throws UserNotFoundError when the password was changed, or the account disabled or deleted,
   *   since the account was read
   */
  async reset(account: Credentials, newPassword: string): Promise<void> {
    const hash = await this.hashNew(newPassword, account, 'password');
    await this.coherence.transaction(userChanges(account._id), async (transaction) => {
      const epoch = await this.replace(account, hash, transaction);
      if (epoch === null) throw new UserNotFoundError();
      await this.sessions.endAll(account._id, transaction);
      const act = { kind: 'password.changed', actor: NOBODY, subject: account._id } as const;
      await this.audit.record(act, transaction);
    });
  }

  /**
   * Stores a new password, ends what was asked for with the former one, and tells the owner. The caller decides about
   * the sessions.
   *
   * @param account as it was when the change was allowed
   * @returns the new epoch of the account; null if it has changed meanwhile
   */
  async replace(
    account: Credentials,
    hash: string,
    transaction: ClientSession | null,
  ): Promise<number | null> {
    const epoch = await this.users.changePassword(account, hash, transaction);
    if (epoch === null) return null;
    await this.tokens.end(account._id, ENDED_BY_NEW_PASSWORD, transaction);
    await this.mails.tell('passwordChanged', account._id, transaction);
    return epoch;
  }

  private async problemOf(password: string, owner: PasswordOwner): Promise<string | null> {
    if (namesItsOwner(password, owner)) return 'must not be your address or name';
    const isCommon = await this.hasher.isCommon(password);
    return isCommon ? 'is one of the most common passwords: choose another one' : null;
  }
}
