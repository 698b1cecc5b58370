/** The exit codes of the commands, as `pressroom --help` lists them. */
export const ExitCode = {
  DONE: 0,
  /** Nothing was done, or only a part: the message says why. */
  FAILED: 1,
  /** The command was done, but leaves something to the operator: the report says what. */
  LEFT_TO_OPERATOR: 2,
  /** EX_USAGE of sysexits.h: an unknown command, option or argument. */
  USAGE: 64,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
