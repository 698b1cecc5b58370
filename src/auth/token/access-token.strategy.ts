import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-jwt';
import { Clock } from '../../platform/clock.js';
import { OBJECT_ID_PATTERN } from '../../platform/http/object-id/object-id.param.js';
import { Env } from '../../platform/config/env.js';
import { ACCESS_TOKEN_TYPE, type AccessTokenClaims } from './token-pair.service.js';
import { AccessTokenError } from '../auth.errors.js';
import { SigningKeys } from '../keys/signing-keys.js';

export const ACCESS_TOKEN_STRATEGY = 'access-token';

/** Longest token in characters, far longer than an issued one. A longer token is refused unparsed. */
const MAX_TOKEN_LENGTH = 4_096;

/** Seconds by which the clocks of processes that share a key may differ. */
const MAX_CLOCK_SKEW_S = 60;

/**
 * Number of the header's members: `alg`, `typ` and `kid`. A header with any other member, such as a
 * key or its URL (jwk, jku, x5u), is refused.
 */
const HEADER_MEMBERS = 3;

/**
 * Verifies signature, type, issuer and audience of an access token. CallerService checks the expiry,
 * because a refresh accepts an expired token.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, ACCESS_TOKEN_STRATEGY) {
  constructor(
    keys: SigningKeys,
    env: Env,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ({ headers }: FastifyRequest) => bearerTokenOf(headers.authorization),
      // The algorithm is fixed, whatever the token's header says (RFC 8725, section 3.1).
      algorithms: ['RS256'],
      issuer: env.JWT_ISSUER,
      audience: env.JWT_AUDIENCE,
      ignoreExpiration: true,
      secretOrKeyProvider: (_request, token: string, done) => {
        const key = keys.find(keyIdOf(token) ?? '');
        // The types allow PEM only, but jsonwebtoken takes a KeyObject as well.
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

/**
 * The bearer token of the header (RFC 6750, section 2.1). Unlike passport-jwt, which ignores text
 * after the token, this function refuses such a header.
 */
function bearerTokenOf(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

function isId(claim: unknown): boolean {
  return typeof claim === 'string' && OBJECT_ID_PATTERN.test(claim);
}

/** @returns the `kid` of the header; null if the token is too long, or its header is not that of an access token */
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
