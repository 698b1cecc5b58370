/** EX_USAGE of sysexits.h. */
const USAGE_EXIT_CODE = 64;

/**
 * Whether a command was given its one option; anything else ends the process with its usage.
 *
 * @param command as it is typed, such as `npm run seed`
 */
export function readFlag(args: readonly string[], flag: string, command: string): boolean {
  const unknown = args.filter((arg) => arg !== flag);
  if (unknown.length > 0) {
    process.stderr.write(`unknown option ${unknown.join(' ')}; usage: ${command} [-- ${flag}]\n`);
    process.exit(USAGE_EXIT_CODE);
  }
  return args.includes(flag);
}
