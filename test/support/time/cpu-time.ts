/** The clock of a thread may tick every 4 ms only: shorter work is measured several times together. */
const MEASURED_MS = 40;

/**
 * The least processor time of several runs, in milliseconds. Only this thread counts: not other
 * programs, and not the threads that an earlier test file left in this process.
 */
export function cpuTime(work: () => unknown, runs = 3): number {
  return Math.min(...Array.from({ length: runs }, () => timeOf(work)));
}

function timeOf(work: () => unknown): number {
  const started = process.threadCpuUsage();
  for (let count = 1; ; count += 1) {
    work();
    const { user, system } = process.threadCpuUsage(started);
    const milliseconds = (user + system) / 1_000;
    if (milliseconds >= MEASURED_MS) return milliseconds / count;
  }
}
