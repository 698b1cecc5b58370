import { createInterface } from 'node:readline';
import { read } from 'read';
import { OperatorError } from '../../platform/config/operator.error.js';

/**
 * Reads a new password. At a terminal, asks for it twice without showing it; otherwise takes the
 * first line of standard input. A password is never an argument, because other users of the machine
 * can see the arguments of a process.
 *
 * @throws OperatorError when no password was given, or when the two inputs differ
 */
export async function readNewPassword(): Promise<string> {
  const password = process.stdin.isTTY ? await askTwice() : await firstLine();
  if (password !== '') return password;
  throw new OperatorError(
    'No password was given: run the command at a terminal, or pass the password as a line of standard input.',
  );
}

async function askTwice(): Promise<string> {
  const password = await ask('New password:');
  if (password === (await ask('Once more:'))) return password;
  throw new OperatorError('The two passwords differ: nothing was changed, run the command again.');
}

async function ask(prompt: string): Promise<string> {
  try {
    // The prompt goes to stderr, because stdout is for the result.
    return await read({ prompt, silent: true, output: process.stderr });
  } catch (error) {
    throw new OperatorError('Cancelled: nothing was changed.', { cause: error });
  } finally {
    process.stderr.write('\n');
  }
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    process.stdin.destroy();
  }
}
