import { createHmac, timingSafeEqual } from 'node:crypto';
import { Types } from 'mongoose';
import type { SigningKeys } from '../keys/signing-keys.js';

/**
 * The form of a refresh token. The pattern is anchored and matches at most 125 characters, so that a
 * longer text takes no longer to check.
 */
const FORMAT = /^v1\.([A-Za-z0-9_-]{43})\.([0-9a-f]{24})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]{43})$/;

/** The content of a refresh token whose MAC was verified. */
export interface RefreshTokenClaims {
  readonly sessionId: Types.ObjectId;
  readonly counter: number;
}

/**
 * Issues a refresh token, `v1.<kid>.<sid>.<counter>.<mac>` (docs/adr/0004). The token is derived
 * from key, session and counter. The database stores no token, so nobody can take one from a copy
 * of the database.
 */
export function issueRefreshToken(keys: SigningKeys, claims: RefreshTokenClaims): string {
  const { kid, refreshKey } = keys.current;
  const payload = `v1.${kid}.${claims.sessionId.toHexString()}.${claims.counter}`;
  return `${payload}.${mac(refreshKey, payload)}`;
}

/** @returns null unless the token was issued under one of the configured keys */
export function verifyRefreshToken(keys: SigningKeys, token: string): RefreshTokenClaims | null {
  const [, kid, sid, counter, given] = FORMAT.exec(token) ?? [];
  const key = kid === undefined ? null : keys.find(kid);
  if (!key || sid === undefined || given === undefined) return null;
  const expected = mac(key.refreshKey, token.slice(0, token.lastIndexOf('.')));
  // timingSafeEqual requires equal lengths. FORMAT ensures them: it admits only a MAC of 43 characters.
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return null;
  return { sessionId: new Types.ObjectId(sid), counter: Number(counter) };
}

function mac(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url');
}
