import { hash, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims } from './access-token.service.js';
import { SigningKeys } from './signing-keys.js';

interface VerifiedToken {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
  readonly key: KeyObject;
}

/** About 5 MB when full. */
const MAX_TOKENS = 10_000;

/**
 * Remembers what passport has found to hold, so that a signature and the way through passport cost
 * once and not with every request: by the hash of the `Authorization` header, so that memory holds no
 * credential; not beyond `exp`, and not beyond the key that verified it. A refusal is never remembered.
 */
@Injectable()
export class VerifiedTokens {
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: MAX_TOKENS });

  constructor(private readonly keys: SigningKeys) {}

  find(authorization: string | undefined): AccessTokenClaims | undefined {
    if (authorization === undefined) return undefined;
    const known = this.tokens.get(idOf(authorization));
    return known && this.keys.find(known.kid)?.publicKey === known.key ? known.claims : undefined;
  }

  /** @param claims of a token whose signature, issuer, audience and type hold */
  remember(authorization: string | undefined, claims: AccessTokenClaims): void {
    const lifetimeMs = claims.exp * 1_000 - Date.now();
    if (authorization === undefined || !(lifetimeMs > 0)) return;
    const kid = keyIdOf(authorization);
    const key = this.keys.find(kid)?.publicKey;
    if (!key) return;
    // Requests share the claims.
    const token = { claims: Object.freeze(claims), kid, key };
    this.tokens.set(idOf(authorization), token, { ttl: lifetimeMs });
  }
}

/** Of a header whose token has been verified. */
function keyIdOf(authorization: string): string {
  const [header = ''] = authorization.replace(/^\S+ +/, '').split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  return kid;
}

function idOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}
