import { UserError } from '../../scripts/support/user-error.ts';
import { cleanUp } from './clean-up.mjs';

/**
 * Runs the main function of a program with its arguments, and cleans up however it ends. An error
 * becomes exit code 1 and a message, with the stack unless whoever typed the command can mend it.
 */
export async function runProgram(main) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error.stack);
    process.exitCode = 1;
  } finally {
    await cleanUp();
  }
}
