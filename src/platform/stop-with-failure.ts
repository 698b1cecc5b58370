/**
 * Stops the process with exit code 1 after a fatal error, so that a process manager can restart it.
 * The process sends SIGTERM to itself, and so closes as after a stop by the operator. Log the error
 * before.
 */
export function stopWithFailure(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
