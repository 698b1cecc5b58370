import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Types } from 'mongoose';
import { accessOf } from '../../common/access/access.decorator.js';
import { Clock } from '../../common/clock.js';
import type { AccessTokenClaims } from '../token/access-token.service.js';
import { ACCESS_TOKEN_STRATEGY } from '../token/access-token.strategy.js';
import { VerifiedTokens } from '../token/verified-tokens.js';
import { AccessTokenError, AccessTokenExpiredError } from '../auth.errors.js';
import { SessionService } from '../session.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by passport once signature, issuer, audience and type hold. */
    accessTokenClaims?: AccessTokenClaims;
  }
}

/**
 * 1. Lets a public route through.
 * 2. Verifies the token's signature (passport, once for each token), then its expiry unless the route
 *    accepts it.
 * 3. Asks for the session and its user: ended, disabled or changed password means 401.
 */
@Injectable()
export class TokenGuard extends AuthGuard(ACCESS_TOKEN_STRATEGY) {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionService,
    private readonly clock: Clock,
    private readonly verified: VerifiedTokens,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { token } = accessOf(this.reflector, context);
    if (token === 'none') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const claims =
      this.verified.find(request.headers.authorization) ?? (await this.verify(context));
    const isExpired = claims.exp * 1_000 <= this.clock.now().getTime();
    if (isExpired && token !== 'expired-ok') throw new AccessTokenExpiredError();
    const sessionId = new Types.ObjectId(claims.sid);
    const session = await this.sessions.findActive(sessionId, new Types.ObjectId(claims.sub));
    if (!session) throw new AccessTokenError('the session has ended: sign in again');
    request.user = { ...session, sessionId };
    return true;
  }

  private async verify(context: ExecutionContext): Promise<AccessTokenClaims> {
    await super.canActivate(context);
    const { accessTokenClaims: claims, headers } = context
      .switchToHttp()
      .getRequest<FastifyRequest>();
    if (!claims) throw new AccessTokenError('invalid access token');
    this.verified.remember(headers.authorization, claims);
    return claims;
  }

  override getAuthenticateOptions(): object {
    return { session: false, property: 'accessTokenClaims' };
  }

  override handleRequest<Claims>(
    error: unknown,
    claims: Claims,
    _info: unknown,
    context: ExecutionContext,
  ): Claims {
    if (error instanceof Error && !(error instanceof AccessTokenError)) throw error;
    if (claims) return claims;
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    throw new AccessTokenError(
      headers.authorization === undefined
        ? 'missing access token: send it as "Authorization: Bearer <token>"'
        : 'invalid access token',
    );
  }
}
