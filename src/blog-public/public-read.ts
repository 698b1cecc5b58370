/**
 * Public reads go on while there is no primary; the fence keeps a late secondary from showing what was.
 */
export const PUBLIC_READ = { readPreference: 'primaryPreferred' } as const;
