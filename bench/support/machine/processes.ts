/** Reads figures of a process from /proc, and changes its priority. */
import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Clock ticks a second in /proc: 100 on every Linux that Node runs on. */
const TICKS = 100;
/** State of a connection that neither side has closed, in /proc/net/tcp. */
const ESTABLISHED = '01';

/** Processor time of a process with all its threads, in seconds. */
export function cpuSecondsOf(pid: number): number {
  // `fields` begins with field 3, after the last bracket: field 2, the name, may contain blanks and brackets.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident memory of a process in bytes. */
export function residentBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

/**
 * Counts the connections from an address that processes of this machine still hold on a port, even if the other side
 * has closed them. Connections that wait to be accepted are included.
 */
export function countConnections(fromAddress: string, toPort: number): number {
  // In /proc, 127.0.0.2 is written 0200007F, and a socket of no process has the inode 0.
  const from = Buffer.from(fromAddress.split('.').map(Number)).reverse().toString('hex');
  const port = toPort.toString(16).padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local = '', remote = '']) =>
        local.endsWith(`:${port.toUpperCase()}`) && remote.startsWith(from.toUpperCase()),
    )
    .filter((columns) => columns[9] !== '0' || columns[3] === ESTABLISHED).length;
}

/**
 * Change of the niceness of clients that send a load, and of servers: a wait for the core would count as latency.
 */
export const RAISED_PRIORITY = -10;

/**
 * Changes the priority of a process or a thread, as renice(1) does. Only root may raise a priority; for other users
 * nothing changes, and other programs of the machine affect the figures.
 * @param id id of the process or thread; 0 for this process
 */
export function tryRenice(id: number, by: number): void {
  try {
    setPriority(id, getPriority(id) + by);
  } catch {
    // The user is not root, or the process has just ended.
  }
}
