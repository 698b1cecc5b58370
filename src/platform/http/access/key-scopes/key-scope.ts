declare module 'fastify' {
  interface FastifyRequest {
    /** The bits of the scopes of the request's API key, once the key was checked. */
    keyScopes: number;
  }
}

/**
 * The scopes of API keys, in the order in which responses list them: the bit by which a request is checked, and
 * what a key with the scope may do.
 */
export const KEY_SCOPES = {
  read: { bit: 1, meaning: 'read what is published, and previews by their token' },
  search: { bit: 2, meaning: 'search what is published' },
  feeds: { bit: 4, meaning: 'read feeds and the sitemap' },
  contact: { bit: 8, meaning: 'send messages to the operators' },
  signup: { bit: 16, meaning: 'open accounts' },
  account: { bit: 32, meaning: 'sign in, and use the own account, its sessions and its profile' },
  desk: {
    bit: 64,
    meaning: 'sign in, use the own account, write, review and administer; signed in, everything',
  },
} as const satisfies Record<string, { readonly bit: number; readonly meaning: string }>;

export type KeyScope = keyof typeof KEY_SCOPES;

export const SCOPE_NAMES = Object.keys(KEY_SCOPES) as KeyScope[];

/** The bits of no scope: of a route that every valid key opens, and of a key that opens only such routes. */
export const NO_SCOPE = 0;

/** The bits of all scopes: those of a key without restriction. */
export const ALL_SCOPES = bitsOf(SCOPE_NAMES);

export function bitsOf(scopes: readonly KeyScope[]): number {
  return scopes.reduce((bits, scope) => bits | KEY_SCOPES[scope].bit, NO_SCOPE);
}

/** The scopes with these bits, in the order of KEY_SCOPES. */
export function scopesIn(bits: number): KeyScope[] {
  return SCOPE_NAMES.filter((scope) => (KEY_SCOPES[scope].bit & bits) !== 0);
}

/**
 * @param held the bits of a key
 * @param accepted the bits of a route, any one of which opens it; NO_SCOPE if every key opens it
 */
export function opens(held: number, accepted: number): boolean {
  return accepted === NO_SCOPE || (held & accepted) !== 0;
}

/**
 * @param stored the names that a key has, as they are stored: any value, because records may be edited by hand
 * @returns their bits: all if nothing is stored; none for a value that is no list, and for unknown names
 */
export function storedBits(stored: unknown): number {
  if (stored === undefined) return ALL_SCOPES;
  return Array.isArray(stored)
    ? bitsOf(SCOPE_NAMES.filter((name) => stored.includes(name)))
    : NO_SCOPE;
}
