/** Something that whoever typed the command can mend; the message says what. */
export class UserError extends Error {}

/** What was thrown, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
