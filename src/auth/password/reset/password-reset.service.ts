import { Injectable, type OnModuleInit } from '@nestjs/common';
import ms from 'ms';
import { AuditService } from '../../../events/audit/audit.service.js';
import { MailService } from '../../../events/mail/mail.service.js';
import type { MailContents } from '../../../events/mail/outbox/mail-outbox.service.js';
import { MailComposers } from '../../../events/mail/sending/mail-composers.service.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../../platform/clock.js';
import type { RequestOrigin } from '../../../platform/http/client-address/origin.decorator.js';
import { RateLimitService } from '../../../platform/rate-limit/rate-limit.service.js';
import { AddressService } from '../../../user/address.service.js';
import { userChanges, UserService } from '../../../user/user.service.js';
import { LinkInvalidError } from '../../auth.errors.js';
import { newToken, OneTimeTokens } from '../../one-time-tokens/one-time-tokens.service.js';
import { SessionService } from '../../session/session.service.js';
import { PasswordService } from '../password.service.js';
import { ForgotPasswordDto } from './forgot-password.dto.js';
import { ResetPasswordDto } from './reset-password.dto.js';

const KIND = 'passwordReset';

/** Milliseconds after a mail in which the same account gets no second one. */
const PAUSE_MS = ms('5m');

/** Number of links of an account that work: a stranger who asks for one does not end that of the owner. */
const VALID_LINKS = 2;

/** Lets the owner of an account set a new password by a link that is sent to the account's address. */
@Injectable()
export class PasswordResetService implements OnModuleInit {
  constructor(
    private readonly users: UserService,
    private readonly addresses: AddressService,
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailService,
    private readonly composers: MailComposers,
    private readonly limits: RateLimitService,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.composers.register(KIND, (_mail, stored) => this.compose(stored));
  }

  /**
   * Stores the request only. Whether there is an account is looked up when the mail is sent, so that neither the answer
   * nor its time shows it.
   *
   * @throws MailNotConfiguredError @throws TooManyRequestsError
   */
  async forgot({ email }: ForgotPasswordDto, { addressPrefix }: RequestOrigin): Promise<void> {
    this.mails.demand();
    await this.limits.count('mail', addressPrefix);
    const linkExpiresAt = this.tokens.endOf(KIND);
    await this.mails.enqueue(
      { kind: KIND, to: email, values: {}, token: newToken(), linkExpiresAt },
      null,
    );
  }

  /**
   * Sets the password, and ends all sessions. A second factor stays.
   *
   * @throws LinkInvalidError @throws InvalidBodyError
   */
  async reset({ token, password }: ResetPasswordDto, origin: RequestOrigin): Promise<void> {
    const found = await this.tokens.find(KIND, token);
    const account = found?.owner && (await this.users.findCredentials({ _id: found.owner }));
    if (!account || account.status === false) throw new LinkInvalidError();
    const hash = await this.passwords.hashNew(password, account, 'password');
    const { _id, email } = account;
    await this.coherence.transaction(userChanges(_id), async (transaction) => {
      if (!(await this.tokens.consume(KIND, token, transaction))) throw new LinkInvalidError();
      const epoch = await this.passwords.replace(account, hash, transaction);
      if (epoch === null) throw new LinkInvalidError();
      // Whoever has the link reads the mails of the address.
      await this.addresses.setVerified(_id, email, transaction);
      await this.sessions.endAll(_id, transaction);
      const actor = { userId: _id, clientPrefix: origin.addressPrefix };
      await this.audit.record({ kind: 'password.reset', actor, subject: _id }, transaction);
    });
  }

  /** @returns null if no enabled account has the address, or if it got a link a moment ago */
  private async compose(stored: MailContents): Promise<MailContents | null> {
    const { to: email, token = '' } = stored;
    const account = await this.users.findCredentials({ email });
    if (!account || account.status === false) return null;
    const since = new Date(this.clock.now().getTime() - PAUSE_MS);
    if (await this.tokens.hasOther(KIND, account._id, { token, since })) return null;
    const expiresAt = this.tokens.endOf(KIND);
    await this.tokens.store(KIND, token, { owner: account._id, expiresAt });
    await this.tokens.keepNewest(KIND, account._id, VALID_LINKS);
    return stored;
  }
}
