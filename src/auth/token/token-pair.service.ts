import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { Env } from '../../platform/config/env.js';
import type { TokensView } from '../views/signed-in.view.js';
import { issueRefreshToken, verifyRefreshToken, type RefreshTokenClaims } from './refresh-token.js';
import { SigningKeys } from '../keys/signing-keys.js';

/** `typ` of the header (RFC 9068, section 2.1): no other JWT is accepted as an access token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

export interface AccessTokenClaims {
  readonly sub: string;
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly iss: string;
  readonly aud: string;
}

/** Issues the access token and the refresh token of a session, and verifies refresh tokens. */
@Injectable()
export class TokenPairService {
  private readonly lifetimeSeconds: number;

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {
    this.lifetimeSeconds = Math.max(1, Math.floor(env.ACCESS_TOKEN_TTL / 1_000));
  }

  async issue(user: Types.ObjectId, session: RefreshTokenClaims): Promise<TokensView> {
    return {
      accessToken: await this.signAccessToken(user, session.sessionId),
      refreshToken: issueRefreshToken(this.keys, session),
    };
  }

  /** @returns null unless the token was issued under one of the configured keys */
  verifyRefreshToken(token: string): RefreshTokenClaims | null {
    return verifyRefreshToken(this.keys, token);
  }

  /** The token carries no roles, so that a change of roles takes effect at once. */
  private async signAccessToken(
    userId: Types.ObjectId,
    sessionId: Types.ObjectId,
  ): Promise<string> {
    const { kid, privateKey } = this.keys.current;
    const iat = Math.floor(this.clock.now().getTime() / 1_000);
    const claims: AccessTokenClaims = {
      iss: this.env.JWT_ISSUER,
      aud: this.env.JWT_AUDIENCE,
      sub: userId.toHexString(),
      sid: sessionId.toHexString(),
      jti: randomUUID(),
      iat,
      exp: iat + this.lifetimeSeconds,
    };
    return this.jwt.signAsync(claims, {
      // The types allow PEM only, but @nestjs/jwt passes a KeyObject on to jsonwebtoken.
      privateKey: privateKey as never,
      algorithm: 'RS256',
      header: { alg: 'RS256', typ: ACCESS_TOKEN_TYPE, kid },
    });
  }
}
