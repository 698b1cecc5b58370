import { readFileSync, readdirSync } from 'node:fs';

/** Clock ticks a second in /proc: 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Processor time of a process with all its threads and children that are running, in seconds. */
export function cpuSecondsOf(pid) {
  return sumOver(pid, (id) => {
    // The name may hold blanks and brackets; what follows the last bracket starts with field 3.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  });
}

/** Resident memory in bytes, children included; what they share counts for each of them. */
export function rssBytesOf(pid) {
  return sumOver(pid, (id) => kilobytesOf(`/proc/${id}/status`, 'VmRSS') * 1_024);
}

/** Memory in bytes, children included, with what is shared counted by shares. */
export function pssBytesOf(pid) {
  return sumOver(pid, (id) => kilobytesOf(`/proc/${id}/smaps_rollup`, 'Pss') * 1_024);
}

/** The process and every process below it. */
export function processTree(pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

function sumOver(pid, measure) {
  return processTree(pid).reduce((sum, id) => sum + measure(id), 0);
}

function kilobytesOf(file, field) {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(file, 'utf8'),
  );
  return Number(kilobytes);
}
