import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Secret, TOTP } from 'otpauth';
import { Clock } from '../../platform/clock.js';
import { Env } from '../../platform/config/env.js';
import { siteNameOf } from '../../platform/config/people/site-name.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import { SecretBox } from '../keys/secret-box.service.js';
import { Factor } from './factor.schema.js';
import type { TotpView } from './factor.view.js';

/** Length of a secret in bytes, that of SHA-1 (RFC 4226, section 4). */
const SECRET_BYTES = 20;
const PERIOD_S = 30;

/** Number of time steps by which the clock of the app may differ (RFC 6238, section 5.2). */
const WINDOW = 1;

/** Codes of six digits that change every 30 seconds (TOTP, RFC 6238). */
@Injectable()
export class TotpService {
  private readonly issuer: string;

  constructor(
    @InjectModel(Factor.name) private readonly factors: Model<Factor>,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    env: Env,
  ) {
    this.issuer = siteNameOf(env);
  }

  /** Makes a secret that counts only once `confirm` has seen its first code. It replaces an earlier one that waits. */
  async begin(user: Types.ObjectId, email: string, name: string): Promise<TotpView> {
    const secret = new Secret({ size: SECRET_BYTES });
    const fields = { secret: this.box.seal(secret.base32), name, createdAt: this.clock.now() };
    await this.factors.updateOne(
      { user, kind: 'totp', isPending: true },
      { $set: fields },
      { upsert: true },
    );
    return { uri: this.otpOf(secret, email).toString(), secret: secret.base32 };
  }

  /**
   * Makes the secret that waits a factor of the account, instead of an earlier app.
   *
   * @returns false if the code is wrong, or no secret waits
   */
  async confirm(
    user: Types.ObjectId,
    code: string,
    transaction: ClientSession | null,
  ): Promise<boolean> {
    const pending = await this.factors
      .findOne({ user, kind: 'totp', isPending: true })
      .session(transaction)
      .lean<Factor | null>();
    const step = pending && this.stepOf(pending, code);
    if (!pending || step === null) return false;
    const former = { user, kind: 'totp' as const, isPending: { $exists: false } };
    await this.factors.deleteMany(former, inTransaction(transaction));
    const { matchedCount } = await this.factors.updateOne(
      { _id: pending._id, isPending: true },
      { $set: { lastStep: step }, $unset: { isPending: 1 } },
      inTransaction(transaction),
    );
    return matchedCount === 1;
  }

  /** Uses a code. Each code works once. */
  async use(factor: Factor, code: string): Promise<boolean> {
    const step = this.stepOf(factor, code);
    if (step === null) return false;
    const { matchedCount } = await this.factors.updateOne(
      { _id: factor._id, lastStep: { $lt: step } },
      { $set: { lastStep: step, lastUsedAt: this.clock.now() } },
    );
    return matchedCount === 1;
  }

  /** @returns the time step of a code; null for a wrong code, or a secret under an unknown signing key */
  private stepOf({ secret }: Factor, code: string): number | null {
    const base32 = secret ? this.box.open(secret) : null;
    const digits = code.replaceAll(' ', '');
    if (base32 === null || !/^\d{6}$/.test(digits)) return null;
    const timestamp = this.clock.now().getTime();
    const otp = this.otpOf(Secret.fromBase32(base32), '');
    const delta = otp.validate({ token: digits, timestamp, window: WINDOW });
    return delta === null ? null : otp.counter({ timestamp }) + delta;
  }

  private otpOf(secret: Secret, label: string): TOTP {
    return new TOTP({ issuer: this.issuer, label, secret, period: PERIOD_S });
  }
}
