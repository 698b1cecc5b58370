/**
 * The least processor time of several runs, in milliseconds. Only this thread counts: not other
 * programs, and not the threads that an earlier test file left in this process.
 */
export function cpuTime(work: () => unknown, runs = 3): number {
  const times = Array.from({ length: runs }, () => {
    const started = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
