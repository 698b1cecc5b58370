import { spawnSync } from 'node:child_process';
import { availableParallelism, platform } from 'node:os';

/** The core of the server, and the core of the database and the load; null if processes are not pinned. */
export interface Cpus {
  readonly server: string | null;
  readonly load: string | null;
  /** A remark on the cores for the report. */
  readonly note: string;
}

/** For programs whose processes may run on any core. */
export const UNPINNED: Cpus = { server: null, load: null, note: 'not pinned' };

export function chooseCpus(): Cpus {
  const reason = whyUnpinned();
  if (reason !== null) return { ...UNPINNED, note: `not pinned: ${reason}` };
  return { server: '0', load: '1', note: 'server on core 0; MongoDB and load on core 1' };
}

function whyUnpinned(): string | null {
  if (platform() !== 'linux') return `${platform()} has no taskset`;
  if (availableParallelism() < 2) return 'there is one core';
  if (spawnSync('taskset', ['-c', '0,1', 'true']).status !== 0) {
    return 'taskset is missing or cores 0 and 1 are not ours';
  }
  return null;
}

/** @returns program and arguments that run on this core; taskset keeps the process id */
export function pinned(cpu: string | null, program: string, args: string[]): [string, string[]] {
  return cpu === null ? [program, args] : ['taskset', ['-c', cpu, program, ...args]];
}

/** Pins a running process, with all its threads, to this core. */
export function pinProcess(cpu: string | null, pid: number): void {
  if (cpu !== null) spawnSync('taskset', ['-a', '-c', '-p', cpu, String(pid)]);
}
