/** The roles of the API, in the order in which responses list them. */
export const ROLE_CODES = ['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN'] as const;

export type RoleCode = (typeof ROLE_CODES)[number];

/** Databases of goserve name the author role `WRITER`. It counts as AUTHOR. */
const STORED_ALIASES: Readonly<Record<string, RoleCode>> = { WRITER: 'AUTHOR' };

/** @returns the role that a stored code grants; null for an unknown code */
export function effectiveRole(storedCode: string): RoleCode | null {
  const code = STORED_ALIASES[storedCode] ?? storedCode;
  return ROLE_CODES.find((known) => known === code) ?? null;
}
