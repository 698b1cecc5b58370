import { hash, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims } from './token-pair.service.js';
import { SigningKeys } from '../keys/signing-keys.js';

interface VerifiedToken {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
  readonly key: KeyObject;
}

/** Largest number of cached tokens, about 5 MB. */
const MAX_TOKENS = 10_000;

/**
 * A cache of verified access tokens, so that passport checks the signature once per token instead of
 * once per request. Tokens are found by a hash of the `Authorization` header, so the cache holds no
 * credential. A token is found until `exp`, while its signing key is configured. Failures are not cached.
 */
@Injectable()
export class VerifiedTokens {
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: MAX_TOKENS });

  constructor(private readonly keys: SigningKeys) {}

  find(authorization: string | undefined): AccessTokenClaims | undefined {
    if (authorization === undefined) return undefined;
    const cached = this.tokens.get(hashOf(authorization));
    return cached && this.keys.find(cached.kid)?.publicKey === cached.key
      ? cached.claims
      : undefined;
  }

  /** @param claims claims of a verified token: signature, issuer, audience and type */
  add(authorization: string | undefined, claims: AccessTokenClaims): void {
    const lifetimeMs = claims.exp * 1_000 - Date.now();
    if (authorization === undefined || !(lifetimeMs > 0)) return;
    const kid = keyIdOf(authorization);
    const key = this.keys.find(kid)?.publicKey;
    if (!key) return;
    // The claims are frozen, because requests share them.
    const token = { claims: Object.freeze(claims), kid, key };
    this.tokens.set(hashOf(authorization), token, { ttl: lifetimeMs });
  }
}

/** @param authorization a header whose token was verified */
function keyIdOf(authorization: string): string {
  const [header = ''] = authorization.replace(/^\S+ +/, '').split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  return kid;
}

function hashOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}
