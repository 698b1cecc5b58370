import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-jwt';
import { Clock } from '../../common/clock.js';
import { OBJECT_ID_PATTERN } from '../../common/object-id/object-id.param.js';
import type { Env } from '../../config/env.js';
import { ACCESS_TOKEN_TYPE, type AccessTokenClaims } from './access-token.service.js';
import { AccessTokenError } from '../auth.errors.js';
import { SigningKeys } from './signing-keys.js';

export const ACCESS_TOKEN_STRATEGY = 'access-token';

/** Longer than any token of ours by far; the rest is refused before it costs a parse. */
const MAX_TOKEN_LENGTH = 4_096;

/** How far the clocks of processes that share a key may differ. */
const MAX_CLOCK_SKEW_S = 60;

/** What the header of our tokens holds: nothing that names a key of its own (jku, x5u, jwk). */
const HEADER_MEMBERS = 3;

/**
 * Verifies signature, type, issuer and audience of an access token. Expiry is CallerService's to
 * judge, because a refresh accepts an expired token.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, ACCESS_TOKEN_STRATEGY) {
  constructor(
    keys: SigningKeys,
    config: ConfigService<Env, true>,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ({ headers }: FastifyRequest) => bearerTokenOf(headers.authorization),
      // Fixed here: what a token says about its algorithm decides nothing.
      algorithms: ['RS256'],
      issuer: config.get('JWT_ISSUER', { infer: true }),
      audience: config.get('JWT_AUDIENCE', { infer: true }),
      ignoreExpiration: true,
      secretOrKeyProvider: (_request, token: string, done) => {
        const key = keys.find(keyIdOf(token) ?? '');
        // The types know PEM only; jsonwebtoken takes the parsed key as well.
        if (key) done(null, key.publicKey as never);
        else done(new AccessTokenError('invalid'));
      },
    });
  }

  validate(claims: AccessTokenClaims): AccessTokenClaims {
    const { sub, sid, jti, iat, exp } = claims;
    const areIds = isId(sub) && isId(sid) && typeof jti === 'string';
    const areTimes = Number.isInteger(iat) && Number.isInteger(exp);
    const isFromFuture = iat > this.clock.now().getTime() / 1_000 + MAX_CLOCK_SKEW_S;
    if (!areIds || !areTimes || isFromFuture) throw new AccessTokenError('invalid');
    return claims;
  }
}

/** RFC 6750, section 2.1. passport-jwt's own extractor passes over whatever follows the token. */
function bearerTokenOf(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** A claim may be of any type, whatever ours are. */
function isId(claim: unknown): boolean {
  return typeof claim === 'string' && OBJECT_ID_PATTERN.test(claim);
}

/** @returns null unless the header is that of an access token, and nothing besides */
function keyIdOf(token: string): string | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  try {
    const text = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
    const header = JSON.parse(text) as Record<string, unknown> | null;
    if (header?.['typ'] !== ACCESS_TOKEN_TYPE || header['alg'] !== 'RS256') return null;
    if (Object.keys(header).length !== HEADER_MEMBERS) return null;
    return typeof header['kid'] === 'string' ? header['kid'] : null;
  } catch {
    return null;
  }
}
