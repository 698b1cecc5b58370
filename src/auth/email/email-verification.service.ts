import { Injectable } from '@nestjs/common';
import ms from 'ms';
import type { ClientSession, Types } from 'mongoose';
import { AuditService } from '../../events/audit/audit.service.js';
import { MailService } from '../../events/mail/mail.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../platform/clock.js';
import { Env } from '../../platform/config/env.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import type { RequestOrigin } from '../../platform/http/client-address/origin.decorator.js';
import { TooManyRequestsError } from '../../platform/rate-limit/rate-limit.errors.js';
import { AddressService } from '../../user/address.service.js';
import type { User } from '../../user/schemas/user.schema.js';
import { userChanges } from '../../user/user.service.js';
import { LinkInvalidError } from '../auth.errors.js';
import { LinkMails } from '../one-time-tokens/link-mails.service.js';
import { OneTimeTokens } from '../one-time-tokens/one-time-tokens.service.js';
import { LinkTokenDto } from '../one-time-tokens/link-token.dto.js';

const KIND = 'emailVerification';

/** Milliseconds between two mails to the same account. */
const PAUSE_MS = ms('5m');

/** Lets new accounts confirm their addresses, with EMAIL_VERIFICATION=on. */
@Injectable()
export class EmailVerificationService {
  constructor(
    private readonly addresses: AddressService,
    private readonly tokens: OneTimeTokens,
    private readonly linkMails: LinkMails,
    private readonly mails: MailService,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** Whether a new account has to confirm its address. */
  get isDemanded(): boolean {
    return this.env.EMAIL_VERIFICATION === 'on';
  }

  /** Sends the link to a new account. */
  async send(
    { _id, email }: Pick<User, '_id' | 'email'>,
    transaction: ClientSession | null = null,
  ): Promise<void> {
    await this.linkMails.send(
      { mail: KIND, token: KIND, to: email, owner: _id, user: _id, data: { email } },
      transaction,
    );
  }

  /**
   * Sends the link again. It does nothing for an account that is verified.
   *
   * @throws MailNotConfiguredError
   * @throws TooManyRequestsError if the account got a link in the last five minutes
   */
  async sendAgain({ userId }: Caller): Promise<void> {
    this.mails.demand();
    const account = await this.addresses.findUnverified(userId);
    if (!account) return;
    const since = new Date(this.clock.now().getTime() - PAUSE_MS);
    if (await this.tokens.hasOther(KIND, userId, { token: '', since })) {
      throw new TooManyRequestsError(PAUSE_MS);
    }
    await this.send(account);
  }

  /** @throws LinkInvalidError also if the account has another address meanwhile */
  async verify({ token }: LinkTokenDto, { addressPrefix }: RequestOrigin): Promise<void> {
    const found = await this.tokens.find(KIND, token);
    const { owner, data } = found ?? {};
    if (!owner) throw new LinkInvalidError();
    await this.coherence.transaction(userChanges(owner), async (transaction) => {
      const used = await this.tokens.consume(KIND, token, transaction);
      const isVerified =
        used && (await this.addresses.setVerified(owner, data?.['email'] ?? '', transaction));
      if (!isVerified) throw new LinkInvalidError();
      await this.recordVerified(owner, addressPrefix, transaction);
    });
  }

  private async recordVerified(
    userId: Types.ObjectId,
    clientPrefix: string,
    transaction: ClientSession | null,
  ): Promise<void> {
    const actor = { userId, clientPrefix };
    await this.audit.record({ kind: 'email.verified', actor, subject: userId }, transaction);
  }
}
