/** EX_USAGE of sysexits.h. */
const USAGE_EXIT_CODE = 64;

/**
 * The options that a command was given; one that it does not know ends the process with its usage.
 *
 * @param command as it is typed, such as `npm run seed`
 */
export function readFlags<Flag extends string>(
  args: readonly string[],
  known: readonly Flag[],
  command: string,
): ReadonlySet<Flag> {
  const given = args.filter((arg): arg is Flag => known.some((flag) => flag === arg));
  const unknown = args.filter((arg) => !known.some((flag) => flag === arg));
  if (unknown.length > 0) {
    const usage = `${command} [-- ${known.join(' ')}]`;
    process.stderr.write(`unknown option ${unknown.join(' ')}; usage: ${usage}\n`);
    process.exit(USAGE_EXIT_CODE);
  }
  return new Set(given);
}
