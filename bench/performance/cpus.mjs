import { spawnSync } from 'node:child_process';
import { availableParallelism, platform } from 'node:os';

/**
 * Which cores the programs are held to: the server alone on core 0, the database and the load on
 * core 1. Each is null where that is not possible, and `note` says why.
 */
export function chooseCpus() {
  const reason = whyUnpinned();
  if (reason !== null) return { server: null, load: null, note: `not pinned: ${reason}` };
  return { server: '0', load: '1', note: 'server on core 0; MongoDB and load on core 1' };
}

function whyUnpinned() {
  if (platform() !== 'linux') return `${platform()} has no taskset`;
  if (availableParallelism() < 2) return 'there is one core';
  if (spawnSync('taskset', ['-c', '0,1', 'true']).status !== 0) {
    return 'taskset is missing or cores 0 and 1 are not ours';
  }
  return null;
}

/** @returns program and arguments that run on the given cores; taskset keeps the process id */
export function pinned(cpu, program, args) {
  return cpu === null ? [program, args] : ['taskset', ['-c', cpu, program, ...args]];
}

/** Holds a process that runs already, with all its threads, to the given cores. */
export function pinProcess(cpu, pid) {
  if (cpu !== null) spawnSync('taskset', ['-a', '-c', '-p', cpu, String(pid)]);
}
