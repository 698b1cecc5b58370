import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { RefusedSignIns } from '../../../events/audit/refused-sign-ins.service.js';
import { Clock } from '../../../platform/clock.js';
import type { RequestOrigin } from '../../../platform/http/client-address/origin.decorator.js';
import type { Warned } from '../../../platform/http/envelope/warned.js';
import { LoginThrottleService } from '../../../platform/rate-limit/login-throttle.service.js';
import { RateLimitService } from '../../../platform/rate-limit/rate-limit.service.js';
import { UserService, type Credentials } from '../../../user/user.service.js';
import { InvalidCredentialsError } from '../../auth.errors.js';
import { AuthService } from '../../auth.service.js';
import { OneTimeTokens } from '../../one-time-tokens/one-time-tokens.service.js';
import type { SignedInView } from '../../views/signed-in.view.js';
import { Factor } from '../factor.schema.js';
import type { PasskeyOptionsView } from './passkey-options.view.js';
import { PasskeyDto } from './passkey.dto.js';
import { parseResponse, RelyingParty, type PasskeyResponse } from './relying-party.service.js';

const CHALLENGE = 'passkeySignIn';

/** Signs people in by a passkey alone. */
@Injectable()
export class PasskeySignIn {
  constructor(
    @InjectModel(Factor.name) private readonly passkeys: Model<Factor>,
    private readonly party: RelyingParty,
    private readonly tokens: OneTimeTokens,
    private readonly users: UserService,
    private readonly auth: AuthService,
    private readonly throttle: LoginThrottleService,
    private readonly limits: RateLimitService,
    private readonly refused: RefusedSignIns,
    private readonly clock: Clock,
  ) {}

  /** @throws PasskeysNotConfiguredError @throws TooManyRequestsError */
  async begin({ addressPrefix }: RequestOrigin): Promise<PasskeyOptionsView> {
    this.party.demand();
    await this.limits.count('passkeyOptions', addressPrefix);
    const challenge = await this.tokens.issue(CHALLENGE, {});
    return { options: await this.party.requestOptions(challenge) };
  }

  /**
   * Failures count for the passkey and the client prefix, not for the account: they lock nobody's password out, and
   * a success clears no failures of passwords.
   *
   * @throws PasskeysNotConfiguredError @throws TooManyRequestsError during a lockout
   * @throws InvalidCredentialsError for everything else, without detail
   */
  async signIn({ response }: PasskeyDto, origin: RequestOrigin): Promise<Warned<SignedInView>> {
    this.party.demand();
    const { addressPrefix: clientPrefix } = origin;
    const parsed = parseResponse(response);
    const account = await this.throttle.attempt({ email: parsed?.id ?? '', clientPrefix }, () =>
      this.authenticate(parsed, clientPrefix),
    );
    if (!account) {
      throw new InvalidCredentialsError('this passkey cannot sign in: use another, or a password');
    }
    const proof = { factor: 'passkey', isConfirmed: true } as const;
    return this.auth.openSession(account._id, account.epoch ?? 0, origin, proof);
  }

  private async authenticate(
    response: PasskeyResponse | null,
    clientPrefix: string,
  ): Promise<Credentials | null> {
    const passkey = response && (await this.find(response.id));
    // The epoch is read before `use` finds that the passkey is still there: of what removes the passkey and increments
    // the epoch together, either `use` or the check of the session sees the result.
    const account = passkey && (await this.users.findCredentials({ _id: passkey.user }));
    if (account && account.status !== false && (await this.use(passkey, response))) return account;
    this.refused.count(account?._id ?? null, clientPrefix);
    return null;
  }

  private find(credentialId: string): Promise<Factor | null> {
    return this.passkeys.findOne({ credentialId }).read('primary').lean<Factor | null>();
  }

  /** Uses the challenge of a response, and moves the counter on, if nobody has removed the passkey meanwhile. */
  private async use(passkey: Factor, response: PasskeyResponse): Promise<boolean> {
    const proved = await this.party.verifyUse(response, passkey);
    if (!proved || !(await this.tokens.consume(CHALLENGE, proved.challenge))) return false;
    const { counter } = proved;
    const { matchedCount } = await this.passkeys.updateOne(
      { _id: passkey._id, counter: counter === 0 ? 0 : { $lt: counter } },
      { $set: { counter, lastUsedAt: this.clock.now() } },
      { hint: { _id: 1 } },
    );
    return matchedCount === 1;
  }
}
