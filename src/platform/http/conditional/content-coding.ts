import negotiate from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';

/** Content codings of cached responses; the one that compresses best is the first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

const IDENTITY = 'identity';

/** Results by `Accept-Encoding` header. The cache is bounded, because a client may send any text. */
const preferences = new LRUCache<string, { readonly coding: Coding | null }>({ max: 100 });

/** @returns the coding that the client prefers; null for plain bytes */
export function preferredCoding(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined || acceptEncoding === '') return null;
  const known = preferences.get(acceptEncoding);
  if (known) return known.coding;
  // Names of codings are case-insensitive (RFC 9110, section 8.4.1).
  const chosen = negotiate(acceptEncoding.toLowerCase(), [...CODINGS, IDENTITY]);
  const coding = CODINGS.find((candidate) => candidate === chosen) ?? null;
  preferences.set(acceptEncoding, { coding });
  return coding;
}

/** @returns the codings that the client accepts, in the order of CODINGS */
export function acceptedCodings(acceptEncoding: string | undefined): readonly Coding[] {
  if (acceptEncoding === undefined || acceptEncoding === '') return [];
  const header = acceptEncoding.toLowerCase();
  return CODINGS.filter((coding) => negotiate(header, [coding]) === coding);
}
