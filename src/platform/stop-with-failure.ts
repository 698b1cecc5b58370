/**
 * Stops the process with exit code 1 after a fatal error, so that a process manager can restart it. It
 * sends SIGTERM to itself, so it closes as after a stop by the operator. Log the error before.
 */
export function stopWithFailure(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
