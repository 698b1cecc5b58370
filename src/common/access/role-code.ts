/** The roles of the API, in the order in which responses list them. */
export const ROLE_CODES = ['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN'] as const;

export type RoleCode = (typeof ROLE_CODES)[number];

/** Databases of the older server name the author role `WRITER`; it counts as AUTHOR. */
const STORED_ALIASES: Readonly<Record<string, RoleCode>> = { WRITER: 'AUTHOR' };

/** @returns null for a code that grants nothing here */
export function effectiveRole(storedCode: string): RoleCode | null {
  const code = STORED_ALIASES[storedCode] ?? storedCode;
  return ROLE_CODES.find((known) => known === code) ?? null;
}

/** Codes under which a role may be stored: itself first, then its aliases. */
export function storedCodesOf(role: RoleCode): readonly string[] {
  const aliases = Object.entries(STORED_ALIASES).filter(([, code]) => code === role);
  return [role, ...aliases.map(([alias]) => alias)];
}
