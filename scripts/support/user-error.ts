/** An error that the user of the command can fix. The message says how. */
export class UserError extends Error {}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
