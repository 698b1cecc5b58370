import { describeError } from '../fail-with.js';

/** The result of a check. `warn` means that the server works, but the operator has something to do. */
export type CheckResult = 'ok' | 'warn' | 'fail';

/** What a check has found. Unless the result is `ok`, the message says what to do. */
export interface Finding {
  readonly result: CheckResult;
  readonly message: string;
}

export interface Check extends Finding {
  readonly name: string;
}

export const ok = (message: string): Finding => ({ result: 'ok', message });
export const warn = (message: string): Finding => ({ result: 'warn', message });
export const fail = (message: string): Finding => ({ result: 'fail', message });

/** Runs a check. An error that it throws is a failure. */
export async function runCheck(name: string, find: () => Promise<Finding>): Promise<Check> {
  try {
    return { name, ...(await find()) };
  } catch (error) {
    return { name, ...fail(describeError(error)) };
  }
}
