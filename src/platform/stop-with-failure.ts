/**
 * Stops the process with exit code 1 after a fatal error, so that a process manager can restart it. The
 * process sends SIGTERM to itself, so that it closes in the same way as when the operator stops it. Log the
 * error before this call.
 */
export function stopWithFailure(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
