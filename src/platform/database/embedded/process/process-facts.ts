import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Identifies a process. The start time distinguishes it from a later process with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * When the process started, as an opaque text, which is different after a restart of the process or of
   * the machine.
   */
  readonly startTime: string;
}

/** What the operating system knows about a running process. */
export interface ProcessFacts extends ProcessIdentity {
  /** User id of the owner. */
  readonly uid: number;
  /** The arguments of the command line. Those read through `ps` are split at every blank. */
  readonly command: readonly string[];
}

/**
 * Finds a process in /proc on Linux, else through `ps`.
 *
 * @returns null when there is none, or when it is a zombie
 */
export async function findProcess(pid: number): Promise<ProcessFacts | null> {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? findInProc(pid) : findWithPs(pid);
}

/** Whether the process is still running. A later process with the same pid does not count. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await findProcess(identity.pid))?.startTime === identity.startTime;
}

/**
 * Returns the identity of a running process.
 *
 * @throws {Error} when it has ended
 */
export async function getIdentity(pid: number): Promise<ProcessIdentity> {
  const facts = await findProcess(pid);
  if (facts === null) throw new Error(`Process ${pid} has ended.`);
  return { pid, startTime: facts.startTime };
}

/** Sends a signal. Does nothing if the process has ended. */
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
    // Ticks count from the boot; the boot id makes them unique across boots.
    const startTime = `${bootId.trim()}:${startTicks}`;
    return { pid, startTime, uid, command: command.split('\0').filter((part) => part !== '') };
  } catch {
    return null;
  }
}

/** Parses /proc/<pid>/stat (proc(5)). The program's name may contain blanks and brackets. */
export function parseProcStat(line: string): { state: string; startTicks: string } {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

/** Finds a process through `ps`, for systems without /proc. */
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

/** Parses a line of `ps -o state=,uid=,lstart=,command=`. The start time `lstart` has five words. */
export function parsePs(pid: number, output: string): ProcessFacts | null {
  const match = /^\s*(\S+)\s+(\d+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(\S.*)$/m.exec(output);
  const [, state, uid, startTime, command] = match ?? [];
  if (!state || !uid || !startTime || !command || state.startsWith('Z')) return null;
  return { pid, startTime, uid: Number(uid), command: command.trim().split(/\s+/) };
}
