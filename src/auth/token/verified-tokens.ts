import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims } from './access-token.service.js';

/** About 5 MB when full. */
const MAX_TOKENS = 10_000;

/**
 * Remembers what passport has found to hold, so that a signature and the way through passport cost
 * once and not with every request: by the hash of the `Authorization` header, so that memory holds no
 * credential, and not beyond `exp`. Keys change only with the process, so nothing outlives its key. A
 * refusal is never remembered.
 */
@Injectable()
export class VerifiedTokens {
  private readonly tokens = new LRUCache<string, AccessTokenClaims>({ max: MAX_TOKENS });

  find(authorization: string | undefined): AccessTokenClaims | undefined {
    return authorization === undefined ? undefined : this.tokens.get(idOf(authorization));
  }

  /** @param claims of a token whose signature, issuer, audience and type hold */
  remember(authorization: string | undefined, claims: AccessTokenClaims): void {
    const lifetimeMs = claims.exp * 1_000 - Date.now();
    if (authorization === undefined || !(lifetimeMs > 0)) return;
    // Requests share it.
    this.tokens.set(idOf(authorization), Object.freeze(claims), { ttl: lifetimeMs });
  }
}

function idOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}
