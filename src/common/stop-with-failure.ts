/**
 * Shuts the process down with exit code 1 after a fatal error that was logged. A process manager can
 * restart it. SIGTERM makes it close like a stop by the operator.
 */
export function stopWithFailure(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
