import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { TokensView } from '../views/signed-in.view.js';
import { AccessTokenService } from './access-token.service.js';
import { issueRefreshToken, verifyRefreshToken, type RefreshTokenClaims } from './refresh-token.js';
import { SigningKeys } from './signing-keys.js';

/** Issues the two tokens of a session: an access token and a refresh token. */
@Injectable()
export class TokenPairService {
  constructor(
    private readonly accessTokens: AccessTokenService,
    private readonly keys: SigningKeys,
  ) {}

  async issue(user: Types.ObjectId, session: RefreshTokenClaims): Promise<TokensView> {
    return {
      accessToken: await this.accessTokens.sign(user, session.sessionId),
      refreshToken: issueRefreshToken(this.keys, session),
    };
  }

  /** @returns null unless it was issued under one of the configured keys */
  verifyRefreshToken(token: string): RefreshTokenClaims | null {
    return verifyRefreshToken(this.keys, token);
  }
}
