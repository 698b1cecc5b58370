import { createHash, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Strategy } from 'passport-jwt';

/** passport-jwt's own verifier, which its types leave out: jsonwebtoken's `verify`. */
export type JwtVerifier = (
  token: string,
  key: KeyObject,
  options: object,
  callback: (error: Error | null, claims?: unknown) => void,
) => void;

/** About 5 MB when full. */
const MAX_TOKENS = 10_000;

/**
 * Remembers what a verifier has found to hold, so that a signature costs once and not with every
 * request: by the hash of the token, so that memory holds no credential; with the key that verified
 * it, so that nothing outlives its key; and not beyond `exp`. A refusal is never remembered.
 *
 * @param verify called for every token that is not remembered
 */
export function remembering(verify: JwtVerifier): JwtVerifier {
  const byKey = new WeakMap<KeyObject, LRUCache<string, object>>();
  return (token, key, options, callback) => {
    const tokens = byKey.get(key) ?? new LRUCache<string, object>({ max: MAX_TOKENS });
    byKey.set(key, tokens);
    const id = createHash('sha256').update(token).digest('base64');
    const known = tokens.get(id);
    if (known) {
      callback(null, known);
      return;
    }
    verify(token, key, options, (error, claims) => {
      if (!error) remember(tokens, id, claims);
      callback(error, claims);
    });
  };
}

function remember(tokens: LRUCache<string, object>, id: string, claims: unknown): void {
  if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return;
  const lifetimeMs = Number(claims.exp) * 1_000 - Date.now();
  // Requests share it.
  if (lifetimeMs > 0) tokens.set(id, Object.freeze(claims), { ttl: lifetimeMs });
}

/** Where passport-jwt looks for its verifier: one for all strategies of the process. */
const home = Strategy as unknown as { JwtVerifier: JwtVerifier };
home.JwtVerifier = remembering(home.JwtVerifier);
