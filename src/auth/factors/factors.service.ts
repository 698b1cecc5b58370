import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { AuditService, type Actor } from '../../events/audit/audit.service.js';
import { MailService } from '../../events/mail/mail.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import type { SessionCaller } from '../../platform/http/access/current-user.decorator.js';
import type { Credentials } from '../../user/user.service.js';
import { FactorNotFoundError, WrongCodeError } from '../auth.errors.js';
import { PasswordService } from '../password/password.service.js';
import { SESSION } from '../session/session.cache.js';
import { SessionService } from '../session/session.service.js';
import { CodeDto } from './dto/code.dto.js';
import { NewFactorDto, PresenceDto, RenameFactorDto } from './dto/factor.dto.js';
import { AccountPolicy } from '../guards/account-policy.service.js';
import { Factor } from './factor.schema.js';
import {
  toFactorView,
  type FactorsView,
  type RecoveryCodesView,
  type TotpView,
} from './factor.view.js';
import { RecoveryCodes } from './recovery-codes.service.js';
import { SecondFactor } from './second-factor.service.js';
import { TotpService } from './totp.service.js';

/** Lets the owner of an account manage its second factors. */
@Injectable()
export class FactorsService {
  constructor(
    @InjectModel(Factor.name) private readonly factors: Model<Factor>,
    private readonly totp: TotpService,
    private readonly recovery: RecoveryCodes,
    private readonly secondFactor: SecondFactor,
    private readonly policy: AccountPolicy,
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly mails: MailService,
    private readonly audit: AuditService,
    private readonly database: DatabaseService,
    private readonly coherence: CacheCoherenceService,
  ) {}

  async list({ userId, roles }: SessionCaller): Promise<FactorsView> {
    const found = await this.secondFactor.confirmed(userId);
    return {
      factors: found.map(toFactorView),
      recoveryCodesLeft: await this.recovery.countLeft(userId),
      demanded: this.policy.demandsFactor(roles),
    };
  }

  /** Checks that the owner is present. @throws WrongPasswordError @throws TooManyRequestsError @throws InvalidBodyError */
  confirm(caller: SessionCaller, password: string | undefined): Promise<Credentials> {
    return this.passwords.confirm('factorChange', caller, password, 'password');
  }

  /** Begins the enrolment of an app. @throws as `confirm` */
  async beginTotp(caller: SessionCaller, { name, password }: NewFactorDto): Promise<TotpView> {
    const { _id, email } = await this.confirm(caller, password);
    return this.totp.begin(_id, email, name);
  }

  /** Ends the enrolment of an app by its first code. @throws WrongCodeError */
  async confirmTotp(caller: SessionCaller, { code }: CodeDto): Promise<RecoveryCodesView> {
    let recoveryCodes: string[] = [];
    await this.coherence.transaction([SESSION.record(caller.sessionId)], async (transaction) => {
      if (!(await this.totp.confirm(caller.userId, code, transaction))) throw new WrongCodeError();
      recoveryCodes = await this.added(caller, 'totp', transaction);
    });
    return { recoveryCodes };
  }

  /**
   * What follows from a new factor: recovery codes if there are none, and the session counts as one with a factor. The
   * transaction must invalidate the cached session.
   */
  async added(
    caller: SessionCaller,
    factor: 'totp' | 'passkey',
    transaction: ClientSession | null,
  ): Promise<string[]> {
    const { userId: user, sessionId } = caller;
    await this.sessions.setFactor(sessionId, factor, transaction);
    await this.record(user, caller, { audit: 'factor.added', mail: 'factorAdded' }, transaction);
    return this.recovery.makeIfMissing(user, transaction);
  }

  /** @throws FactorNotFoundError */
  async rename(
    { userId }: SessionCaller,
    id: Types.ObjectId,
    { name }: RenameFactorDto,
  ): Promise<void> {
    const { matchedCount } = await this.factors.updateOne(
      { _id: id, user: userId, kind: { $ne: 'recovery' }, isPending: { $exists: false } },
      { $set: { name } },
      { hint: { _id: 1 } },
    );
    if (matchedCount === 0) throw new FactorNotFoundError();
  }

  /** Removes a factor; with the last one, the recovery codes. @throws FactorNotFoundError @throws as `confirm` */
  async remove(
    caller: SessionCaller,
    id: Types.ObjectId,
    { password }: PresenceDto,
  ): Promise<void> {
    const { _id: user } = await this.confirm(caller, password);
    await this.database.transaction(async (transaction) => {
      const options = inTransaction(transaction);
      const { deletedCount } = await this.factors.deleteOne(
        { _id: id, user, kind: { $ne: 'recovery' } },
        { hint: { _id: 1 }, ...options },
      );
      if (deletedCount === 0) throw new FactorNotFoundError();
      const rest = { user, kind: { $in: ['totp', 'passkey'] as const } };
      const left = await this.factors.find(rest).session(transaction).lean<Factor[]>();
      if (left.every(({ isPending }) => isPending)) {
        await this.factors.deleteMany({ user, kind: 'recovery' }, options);
      }
      const kinds = { audit: 'factor.removed', mail: 'factorRemoved' } as const;
      await this.record(user, caller, kinds, transaction);
    });
  }

  /** Makes new recovery codes. @throws FactorNotFoundError for an account without a factor @throws as `confirm` */
  async renewCodes(caller: SessionCaller, { password }: PresenceDto): Promise<RecoveryCodesView> {
    const { _id } = await this.confirm(caller, password);
    if ((await this.secondFactor.confirmed(_id)).length === 0) throw new FactorNotFoundError();
    return { recoveryCodes: await this.recovery.renew(_id, null) };
  }

  /** Removes all factors of an account at the operator's request. @returns how many there were */
  async reset(user: Types.ObjectId, actor: Actor): Promise<number> {
    let count = 0;
    await this.database.transaction(async (transaction) => {
      const found = await this.factors.find({ user }).session(transaction).lean<Factor[]>();
      count = found.filter(({ kind, isPending }) => kind !== 'recovery' && !isPending).length;
      await this.removeOf(user, transaction);
      const kinds = { audit: 'factor.reset', mail: 'factorRemoved' } as const;
      await this.record(user, actor, kinds, transaction);
    });
    return count;
  }

  /** Removes all factors of an account. @param since only those that were added after this time */
  async removeOf(
    user: Types.ObjectId,
    transaction: ClientSession | null,
    since = new Date(0),
  ): Promise<void> {
    const filter = { user, createdAt: { $gte: since } };
    await this.factors.deleteMany(filter, inTransaction(transaction));
  }

  private async record(
    user: Types.ObjectId,
    actor: Actor,
    kinds: {
      readonly audit: 'factor.added' | 'factor.removed' | 'factor.reset';
      readonly mail: 'factorAdded' | 'factorRemoved';
    },
    transaction: ClientSession | null,
  ): Promise<void> {
    await this.audit.record({ kind: kinds.audit, actor, subject: user }, transaction);
    await this.mails.tell(kinds.mail, user, transaction);
  }
}
