import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Resident memory of a process, in whole megabytes. */
export function residentMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(statusOf(pid)) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}

function statusOf(pid) {
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return `VmRSS: ${kilobytes.trim()} kB`;
}

/** As /proc/net/tcp has them: 127.0.0.2 is 0200007F, and the socket of no process has the inode 0. */
function hexOf(address) {
  return Buffer.from(address.split('.').map(Number)).reverse().toString('hex').toUpperCase();
}

/** Of a connection that neither side has closed, as /proc/net/tcp has it. */
const ESTABLISHED = '01';

/**
 * How many connections from an address the processes of this machine still hold on a port, whatever
 * the other side thinks of them; those count as well that nobody has accepted yet.
 *
 * @throws Error where there is no /proc
 */
export function countConnections(fromAddress, toPort) {
  const port = toPort.toString(16).toUpperCase().padStart(4, '0');
  const from = hexOf(fromAddress);
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', remote = '']) => local.endsWith(`:${port}`) && remote.startsWith(from))
    .filter((columns) => columns[9] !== '0' || columns[3] === ESTABLISHED).length;
}
