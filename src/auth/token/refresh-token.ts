import { createHmac, timingSafeEqual } from 'node:crypto';
import { Types } from 'mongoose';
import type { SigningKeys } from './signing-keys.js';

/** Anchored and of bounded length: a text of any length is refused after 125 characters at most. */
const FORMAT = /^v1\.([A-Za-z0-9_-]{43})\.([0-9a-f]{24})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]{43})$/;

/** What a refresh token says once its authentication code holds. */
export interface RefreshTokenClaims {
  readonly sessionId: Types.ObjectId;
  readonly counter: number;
}

/**
 * `v1.<kid>.<sid>.<counter>.<mac>` (docs/adr/0004): a function of the session and its counter, so
 * the database holds nothing that could be used in its place.
 */
export function issueRefreshToken(keys: SigningKeys, claims: RefreshTokenClaims): string {
  const { kid, refreshKey } = keys.current;
  const payload = `v1.${kid}.${claims.sessionId.toHexString()}.${claims.counter}`;
  return `${payload}.${mac(refreshKey, payload)}`;
}

/** @returns null for anything that this deployment did not issue under one of its present keys */
export function verifyRefreshToken(keys: SigningKeys, token: string): RefreshTokenClaims | null {
  const [, kid, sid, counter, given] = FORMAT.exec(token) ?? [];
  const key = kid === undefined ? null : keys.find(kid);
  if (!key || sid === undefined || given === undefined) return null;
  const expected = mac(key.refreshKey, token.slice(0, token.lastIndexOf('.')));
  // Both are base64url of 32 bytes: the format has fixed the length.
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return null;
  return { sessionId: new Types.ObjectId(sid), counter: Number(counter) };
}

function mac(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url');
}
