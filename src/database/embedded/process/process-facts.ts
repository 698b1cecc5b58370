import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process, told apart from a later one with the same number by when it started. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque: equal for the same process, different after a restart of it or of the machine. */
  readonly startTime: string;
}

/** What the system knows about a living process. */
export interface ProcessFacts extends ProcessIdentity {
  /** User id of the owner. */
  readonly uid: number;
  /** The command line; split at blanks where the system does not keep the arguments apart. */
  readonly command: readonly string[];
}

/**
 * Looks a process up: in /proc on Linux, else through `ps`.
 *
 * @returns null when there is none, or when it has ended and only waits to be collected
 */
export async function findProcess(pid: number): Promise<ProcessFacts | null> {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? findInProc(pid) : findWithPs(pid);
}

/** Whether the very process is still alive. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await findProcess(identity.pid))?.startTime === identity.startTime;
}

/**
 * The identity of a process that is known to live.
 *
 * @throws {Error} when it has ended
 */
export async function getIdentity(pid: number): Promise<ProcessIdentity> {
  const facts = await findProcess(pid);
  if (facts === null) throw new Error(`Process ${pid} has ended.`);
  return { pid, startTime: facts.startTime };
}

/** Sends a signal; a process that has ended meanwhile is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function findInProc(pid: number): Promise<ProcessFacts | null> {
  try {
    const [line, command, { uid }, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      stat(`/proc/${pid}`),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    const { state, startTicks } = parseProcStat(line);
    if (state === 'Z' || state === 'X') return null;
    // Ticks count from the start of the machine, so only together with that start are they unique.
    const startTime = `${bootId.trim()}:${startTicks}`;
    return { pid, startTime, uid, command: command.split('\0').filter((part) => part !== '') };
  } catch {
    return null;
  }
}

/** State and start time of a line of /proc/<pid>/stat (proc(5)); the name in brackets may hold anything. */
export function parseProcStat(line: string): { state: string; startTicks: string } {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

/** The same from `ps`, for systems without /proc. */
export async function findWithPs(pid: number): Promise<ProcessFacts | null> {
  const columns = 'state=,uid=,lstart=,command=';
  try {
    const { stdout } = await run('ps', ['-ww', '-o', columns, '-p', String(pid)], {
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    });
    return parsePs(pid, stdout);
  } catch {
    return null;
  }
}

/** Reads one line of `ps -o state=,uid=,lstart=,command=`; lstart is five words. */
export function parsePs(pid: number, output: string): ProcessFacts | null {
  const match = /^\s*(\S+)\s+(\d+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(\S.*)$/m.exec(output);
  const [, state, uid, startTime, command] = match ?? [];
  if (!state || !uid || !startTime || !command || state.startsWith('Z')) return null;
  return { pid, startTime, uid: Number(uid), command: command.trim().split(/\s+/) };
}
