import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf, UserError } from '../../scripts/support/user-error.ts';

type Action = () => unknown;

/** Actions for the end of the program, however it ends. The last one runs first. */
const undo: Action[] = [];
/** Processes that are killed at the end of the program, in case it has no time to stop them. */
const pids = new Set<number>();
let isEnding = false;

/**
 * Registers an action for the end of the program.
 * @param action the action; may return a promise
 * @returns a function that removes the action from the list, for a caller that has done the action itself
 */
export function atEnd(action: Action): () => void {
  undo.push(action);
  return () => {
    const at = undo.indexOf(action);
    if (at >= 0) undo.splice(at, 1);
  };
}

/** Registers a child process: if it still runs at the end of the program, it is killed. */
export function ownProcess<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  pids.add(pid);
  child.once('exit', () => pids.delete(pid));
  return child;
}

/** Makes a temporary folder. @returns its path, and a function that removes it before the end of the program */
export function ownFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-bench-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const forget = atEnd(removeFolder);
  return {
    folder,
    remove: () => {
      removeFolder();
      forget();
    },
  };
}

/**
 * Runs the main function of a program with its arguments, or prints the usage for `--help`, and cleans up at the
 * end. An error becomes exit code 1 and a message. The message has a stack, except that of a UserError.
 */
export async function runProgram(
  usage: string,
  main: (args: string[]) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help')) console.log(usage);
    else await main(args);
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exitCode = 1;
  } finally {
    await cleanUp();
  }
}

/** @throws UserError with the usage for arguments that `parseArgs` does not understand */
export function valuesOf<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UserError(`${messageOf(error)}\n\n${usage}`);
  }
}

/** The code of an error of Node or of MongoDB. */
export function codeOf(error: unknown): string | number | undefined {
  return (error as { code?: string | number }).code;
}

/** Runs all registered actions; a failure of one does not keep the others from running. */
export async function cleanUp(): Promise<void> {
  for (let action = undo.pop(); action !== undefined; action = undo.pop()) {
    try {
      await action();
    } catch (error) {
      console.error(`cleaning up: ${messageOf(error)}`);
    }
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    // A second Ctrl-C ends the program at once: the handler of `exit` kills the remaining processes.
    if (isEnding) process.exit(code);
    isEnding = true;
    void cleanUp().then(() => process.exit(code));
  });
}

process.on('exit', () => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has just ended.
    }
  }
});
