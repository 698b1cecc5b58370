import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, platform, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** The name that Node gives to the threads with which V8 marks the heap and compiles. */
const NAME = 'V8Worker';

/**
 * Niceness that is added to the threads, as by nice(1). They then get a quarter of the event loop's
 * share where both want one core. With 10 the heap was marked so slowly under overload that the
 * process took 433 MB instead of 310.
 */
const INCREMENT = 6;

/**
 * Lowers the priority of V8's helper threads below that of the event loop. They mark the whole heap
 * every few seconds under load, for a quarter of a second, and where cores are scarce each turn of
 * the event loop took several times as long meanwhile.
 *
 * Only Linux gives a thread a niceness of its own. Elsewhere nothing changes.
 */
export function lowerHelperThreads(): void {
  if (platform() !== 'linux') return;
  const niceness = Math.min(getPriority() + INCREMENT, constants.priority.PRIORITY_LOW);
  try {
    for (const id of readdirSync(THREADS)) {
      const name = readFileSync(`${THREADS}/${id}/comm`, 'utf8').trim();
      if (name === NAME) setPriority(Number(id), niceness);
    }
  } catch {
    // A thread may have ended meanwhile, or a container may hide the threads. The server is then
    // slower, but not wrong.
  }
}
