import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { DatabaseService } from '../platform/database/database.service.js';
import type { SessionCaller } from '../platform/http/access/current-user.decorator.js';
import type { RequestOrigin } from '../platform/http/client-address/origin.decorator.js';
import type { FieldWarning } from '../platform/http/envelope/envelope.js';
import { Warned } from '../platform/http/envelope/warned.js';
import { RateLimitService } from '../platform/rate-limit/rate-limit.service.js';
import { AddressService } from '../user/address.service.js';
import { RoleService } from '../user/role.service.js';
import { AlreadyRegisteredError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { AccessTokenError, InvalidCredentialsError, RefreshTokenError } from './auth.errors.js';
import { RefreshDto } from './dto/refresh.dto.js';
import { SignInDto } from './dto/sign-in.dto.js';
import { SignUpDto } from './dto/sign-up.dto.js';
import { EmailVerificationService } from './email/email-verification.service.js';
import { PasswordService } from './password/password.service.js';
import { KnownDevices } from './session/devices/known-devices.service.js';
import { SignUpPolicy } from './sign-up-policy.service.js';
import { MAX_SESSIONS, SessionService, type SignInProof } from './session/session.service.js';
import { TokenPairService } from './token/token-pair.service.js';
import type { SignedInView, TokensView } from './views/signed-in.view.js';

const SESSION_DISPLACED: FieldWarning = {
  field: 'sessions',
  message: `the session that was used least recently has ended: an account has ${MAX_SESSIONS} at most`,
};

/** Sign-up, sign-in, refresh and sign-out. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UserService,
    private readonly addresses: AddressService,
    private readonly roles: RoleService,
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly devices: KnownDevices,
    private readonly tokens: TokenPairService,
    private readonly policy: SignUpPolicy,
    private readonly verification: EmailVerificationService,
    private readonly limits: RateLimitService,
    private readonly database: DatabaseService,
  ) {}

  /**
   * @throws SignUpClosedError @throws AlreadyRegisteredError @throws InvalidBodyError
   * @throws TooManyRequestsError
   */
  async signUp(dto: SignUpDto, origin: RequestOrigin): Promise<Warned<SignedInView>> {
    const { email, name, profilePicUrl, password } = dto;
    this.policy.demandOpen();
    await this.limits.count('signup', origin.addressPrefix);
    // A registered email address is refused before the slow hash is computed. If two sign-ups pass this
    // check at the same time, the unique index refuses one of them.
    if (await this.addresses.isTaken(email)) throw new AlreadyRegisteredError();
    const _id = new Types.ObjectId();
    const passwordHash = await this.passwords.hashNew(password, dto, 'password');
    const roles = await this.roles.idsOf(['LEARNER']);
    const isUnverified = this.verification.isDemanded;
    const newUser = { _id, email, name, profilePicUrl, passwordHash, roles, isUnverified };
    const actor = { userId: _id, clientPrefix: origin.addressPrefix };
    await this.database.transaction(async (transaction) => {
      await this.users.insert(newUser, actor, transaction);
      if (isUnverified) await this.verification.send(newUser, transaction);
    });
    return this.openSession(_id, 0, origin);
  }

  /**
   * @throws InvalidCredentialsError for an unknown email address, a wrong password or a disabled account,
   *   after the same amount of work
   * @throws SecondFactorRequiredError @throws WrongCodeError when the password is right
   * @throws TooManyRequestsError
   */
  async signIn(dto: SignInDto, origin: RequestOrigin): Promise<Warned<SignedInView>> {
    const account = await this.passwords.findAccount(dto, origin.addressPrefix);
    if (!account) throw new InvalidCredentialsError();
    const { _id, epoch = 0, factor } = account;
    return this.openSession(_id, epoch, origin, factor ? { factor } : {});
  }

  /**
   * @throws RefreshTokenError
   * @throws AccessTokenError when the session has ended
   */
  async refresh(caller: SessionCaller, dto: RefreshDto): Promise<TokensView> {
    const claims = this.tokens.verifyRefreshToken(dto.refresh_token);
    // Without this check, a refresh token of another session could end the caller's session.
    if (!claims?.sessionId.equals(caller.sessionId)) throw new RefreshTokenError();
    const { userId, sessionId } = caller;
    const counter = await this.sessions.rotate(caller, claims.counter);
    if (counter === null) throw new AccessTokenError('ended');
    return this.tokens.issue(userId, { sessionId, counter });
  }

  async signOut(caller: SessionCaller): Promise<void> {
    await this.sessions.signOut(caller);
  }

  /**
   * Opens a session of a user who has been authenticated.
   *
   * @param epoch the user's epoch, read together with what has authenticated the user
   * @param proof what was proved besides the password
   * @throws InvalidCredentialsError when the account was deleted meanwhile
   */
  async openSession(
    user: Types.ObjectId,
    epoch: number,
    origin: RequestOrigin,
    proof: SignInProof = {},
  ): Promise<Warned<SignedInView>> {
    const session = await this.sessions.open(user, epoch, origin, proof);
    const view = await this.users.findView(user);
    if (!view) {
      await this.sessions.end(session._id);
      throw new InvalidCredentialsError();
    }
    await this.devices.note(user, origin);
    const { _id: sessionId, counter, hasEndedAnother } = session;
    const tokens = await this.tokens.issue(user, { sessionId, counter });
    return new Warned({ user: view, tokens }, hasEndedAnother ? [SESSION_DISPLACED] : []);
  }
}
