import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { SecondFactorRequiredError } from '../auth.errors.js';
import type { SessionFactor } from '../session/session.schema.js';
import { Factor } from './factor.schema.js';
import { RecoveryCodes } from './recovery-codes.service.js';
import { TotpService } from './totp.service.js';

/** What a sign-in has proved besides the password. */
export interface FactorCheck {
  /** Whether the account demands no factor, or the code was right. */
  readonly isPassed: boolean;
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
   * Checks the code of somebody whose password was right.
   *
   * @param code a code of the app or a recovery code; undefined if the request has none
   * @throws SecondFactorRequiredError if the account has a factor, and the request no code
   */
  async check(user: Types.ObjectId, code: string | undefined): Promise<FactorCheck> {
    const factors = await this.factors
      .find({ user, kind: { $in: ['totp', 'passkey'] }, isPending: { $exists: false } })
      .read('primary')
      .lean<Factor[]>();
    if (factors.length === 0) return { isPassed: true };
    if (code === undefined) throw new SecondFactorRequiredError();
    const app = factors.find(({ kind }) => kind === 'totp');
    if (app && (await this.totp.use(app, code))) return { isPassed: true, factor: 'totp' };
    const isRecovery = await this.recovery.use(user, code);
    return isRecovery ? { isPassed: true, factor: 'recovery' } : { isPassed: false };
  }
}
