import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, platform, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** The name that Node gives to the threads with which V8 marks the heap and compiles. */
const NAME = 'V8Worker';

/**
 * Number that is added to the niceness of the threads. On a core that they share with the event
 * loop, they then get a quarter as much processor time as the event loop. With 10, the heap was
 * marked so slowly under overload that the process took 433 MB instead of 310.
 */
const INCREMENT = 6;

/**
 * Lowers the priority of V8's helper threads below that of the event loop. Under load, these threads
 * mark the whole heap every few seconds, which takes a quarter of a second. With their usual priority
 * and few cores, each turn of the event loop took several times as long during that time.
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
    // A thread may have ended meanwhile, or a container may hide the threads. The server then works,
    // but more slowly.
  }
}
