import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { Caller } from '../common/access/current-user.decorator.js';
import { RoleService } from '../user/role.service.js';
import { AlreadyRegisteredError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { AccessTokenService } from './token/access-token.service.js';
import { AccessTokenError, InvalidCredentialsError, RefreshTokenError } from './auth.errors.js';
import { RefreshDto } from './dto/refresh.dto.js';
import { SignInDto } from './dto/sign-in.dto.js';
import { SignUpDto } from './dto/sign-up.dto.js';
import { PasswordHasher } from './password/password-hasher.js';
import { issueRefreshToken, verifyRefreshToken } from './token/refresh-token.js';
import { SessionService, type SessionOrigin } from './session.service.js';
import { SigningKeys } from './token/signing-keys.js';
import type { SignedInView, TokensView } from './views/session.view.js';

/** Sign-up, sign-in, refresh and sign-out. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UserService,
    private readonly roles: RoleService,
    private readonly hasher: PasswordHasher,
    private readonly sessions: SessionService,
    private readonly accessTokens: AccessTokenService,
    private readonly keys: SigningKeys,
  ) {}

  /** @throws AlreadyRegisteredError */
  async signUp(dto: SignUpDto, origin: SessionOrigin): Promise<SignedInView> {
    const { email, name, profilePicUrl, password } = dto;
    // Saves the hash; the unique index decides between two at once.
    if (await this.users.isRegistered(email)) throw new AlreadyRegisteredError();
    const user = await this.users.create({
      email,
      name,
      profilePicUrl,
      passwordHash: await this.hasher.hash(password),
      roles: await this.roles.idsOf(['LEARNER']),
    });
    return this.openSession(user._id, user.epoch ?? 0, origin);
  }

  /** @throws InvalidCredentialsError for every reason alike, after the same work */
  async signIn({ email, password }: SignInDto, origin: SessionOrigin): Promise<SignedInView> {
    const account = await this.users.findCredentials(email);
    const isMatch = await this.hasher.matches(password, account?.password ?? null);
    if (!account || !isMatch || account.status === false) throw new InvalidCredentialsError();
    if (this.hasher.isOutdated(account.password)) {
      const newHash = await this.hasher.hash(password);
      await this.users.replaceHash(account._id, account.password, newHash);
    }
    return this.openSession(account._id, account.epoch ?? 0, origin);
  }

  /** @throws RefreshTokenError @throws AccessTokenError when a spent token has ended the session */
  async refresh(caller: Caller, dto: RefreshDto): Promise<TokensView> {
    const claims = verifyRefreshToken(this.keys, dto.refresh_token);
    // One of another session changes nothing: else a known session id would let anyone end it.
    if (!claims?.sessionId.equals(caller.sessionId)) throw new RefreshTokenError();
    const { userId, sessionId } = caller;
    const counter = await this.sessions.rotate(sessionId, userId, claims.counter);
    if (counter === null) throw new AccessTokenError('the session has ended: sign in again');
    return this.issue(userId, sessionId, counter);
  }

  async signOut({ sessionId }: Caller): Promise<void> {
    await this.sessions.end(sessionId);
  }

  private async openSession(
    user: Types.ObjectId,
    epoch: number,
    origin: SessionOrigin,
  ): Promise<SignedInView> {
    const session = await this.sessions.open(user, epoch, origin);
    return {
      user: await this.users.getView(user),
      tokens: await this.issue(user, session._id, session.counter),
    };
  }

  private async issue(
    user: Types.ObjectId,
    sessionId: Types.ObjectId,
    counter: number,
  ): Promise<TokensView> {
    return {
      accessToken: await this.accessTokens.sign(user, sessionId),
      refreshToken: issueRefreshToken(this.keys, { sessionId, counter }),
    };
  }
}
