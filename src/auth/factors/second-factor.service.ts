import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import { FactorNeededError, SecondFactorRequiredError } from '../auth.errors.js';
import type { SessionFactor } from '../session/session.schema.js';
import { Factor } from './factor.schema.js';
import { RecoveryCodes } from './recovery-codes.service.js';
import { TotpService } from './totp.service.js';

/** What a sign-in has proved besides the password. */
export interface FactorCheck {
  /** The factor; missing for an account without one. */
  readonly factor?: SessionFactor;
}

/** Checks the second factor of a sign-in by password. */
@Injectable()
export class SecondFactor {
  constructor(
    @InjectModel(Factor.name) private readonly factors: Model<Factor>,
    private readonly totp: TotpService,
    private readonly recovery: RecoveryCodes,
  ) {}

  /**
   * Checks that a session has proved a factor of the account, if the account has one. A sign-in by the provider, and a
   * session that is older than the factor, have not.
   *
   * @throws FactorNeededError
   */
  async demandOf({ userId, factor }: Caller): Promise<void> {
    const isProved = factor !== undefined && factor !== 'provider';
    if (!isProved && (await this.confirmed(userId)).length > 0) throw new FactorNeededError();
  }

  /**
   * Checks the code of somebody whose password was right.
   *
   * @param code a code of the app or a recovery code; undefined if the request has none
   * @param guess makes the attempt with the code, unless there were too many
   * @returns null if the code is wrong
   * @throws SecondFactorRequiredError if the account has a factor, and the request no code
   */
  async check(
    user: Types.ObjectId,
    code: string | undefined,
    guess: (attempt: () => Promise<FactorCheck | null>) => Promise<FactorCheck | null>,
  ): Promise<FactorCheck | null> {
    const factors = await this.confirmed(user);
    if (factors.length === 0) return {};
    if (code === undefined) throw new SecondFactorRequiredError();
    return guess(async () => {
      const app = factors.find(({ kind }) => kind === 'totp');
      if (app && (await this.totp.use(app, code))) return { factor: 'totp' };
      return (await this.recovery.use(user, code)) ? { factor: 'recovery' } : null;
    });
  }

  /** The apps and passkeys of an account, without an app whose enrolment has only begun. */
  async confirmed(user: Types.ObjectId): Promise<Factor[]> {
    return this.factors
      .find({ user, kind: { $in: ['totp', 'passkey'] }, isPending: { $exists: false } })
      .read('primary')
      .lean<Factor[]>();
  }
}
