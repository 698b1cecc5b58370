import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Types } from 'mongoose';
import passport from 'passport';
import type { Access } from '../platform/http/access/access.decorator.js';
import type { Caller } from '../platform/http/access/current-user.decorator.js';
import { clientPrefixFrom } from '../platform/http/client-address/client-prefix.js';
import { Clock } from '../platform/clock.js';
import { AccessTokenError, AccessTokenExpiredError, SessionNeededError } from './auth.errors.js';
import { ActiveSessions } from './session/active-sessions.service.js';
import { PersonalTokenService } from './access-tokens/personal-token.service.js';
import type { AccessTokenClaims } from './token/token-pair.service.js';
import { ACCESS_TOKEN_STRATEGY } from './token/access-token.strategy.js';
import { VerifiedTokens } from './token/verified-tokens.js';

/** A header with a personal access token, which its beginning tells from the token of a session. */
const PERSONAL_TOKEN_HEADER = /^Bearer +(prt_\S*)$/i;

/** Authenticates the caller of a request, for the token guard. */
@Injectable()
export class CallerService {
  constructor(
    private readonly sessions: ActiveSessions,
    private readonly clock: Clock,
    private readonly verified: VerifiedTokens,
    private readonly personalTokens: PersonalTokenService,
  ) {}

  /**
   * Authenticates the caller:
   *
   * 1. Verifies the token by passport, unless it is in the cache of verified tokens.
   * 2. Checks that it has not expired, unless the route accepts an expired token.
   * 3. Checks that the session has not ended and that its user is enabled.
   *
   * A personal access token is looked up instead.
   *
   * @throws AccessTokenError
   * @throws AccessTokenExpiredError
   * @throws SessionNeededError for a personal access token, where the route needs a session
   */
  async identify(
    request: FastifyRequest,
    reply: FastifyReply,
    tokenRule: Access['token'],
  ): Promise<Caller> {
    const { authorization } = request.headers;
    const personalToken = PERSONAL_TOKEN_HEADER.exec(authorization ?? '')?.[1];
    if (personalToken !== undefined) return this.identifyBy(personalToken, request, tokenRule);
    let claims = this.verified.find(authorization);
    if (!claims) {
      claims = await verify(request, reply);
      this.verified.add(authorization, claims);
    }
    const isExpired = claims.exp * 1_000 <= this.clock.now().getTime();
    if (isExpired && tokenRule !== 'expired-ok') throw new AccessTokenExpiredError();
    const sessionId = new Types.ObjectId(claims.sid);
    const session = await this.sessions.find(sessionId, new Types.ObjectId(claims.sub));
    if (!session) throw new AccessTokenError('ended');
    return { ...session, sessionId, clientPrefix: clientPrefixFrom(request) };
  }

  private async identifyBy(
    personalToken: string,
    request: FastifyRequest,
    tokenRule: Access['token'],
  ): Promise<Caller> {
    const owner = await this.personalTokens.findOwner(personalToken);
    if (!owner) throw new AccessTokenError('invalid');
    if (tokenRule !== 'required') throw new SessionNeededError();
    const { userId, roles, isUnverified, factor } = owner;
    return {
      userId,
      roles,
      isUnverified,
      ...(factor === undefined ? {} : { factor }),
      sessionId: null,
      clientPrefix: clientPrefixFrom(request),
    };
  }
}

/** @returns the claims of the token after signature, issuer, audience and type were verified */
function verify(request: FastifyRequest, reply: FastifyReply): Promise<AccessTokenClaims> {
  return new Promise((resolve, reject) => {
    const authenticate = passport.authenticate(
      ACCESS_TOKEN_STRATEGY,
      { session: false },
      (error: unknown, claims: AccessTokenClaims | false | undefined) => {
        if (error instanceof Error && !(error instanceof AccessTokenError)) reject(error);
        else if (claims) resolve(claims);
        else reject(accessTokenError(request.headers.authorization));
      },
    ) as (request: FastifyRequest, reply: FastifyReply, next: (error: unknown) => void) => void;
    authenticate(request, reply, reject);
  });
}

function accessTokenError(authorization: string | undefined): AccessTokenError {
  return new AccessTokenError(authorization === undefined ? 'missing' : 'invalid');
}
