import { rmSync } from 'node:fs';

/** What is to be undone, the last first, however the bench ends. */
const undo = [];
/** Processes that must not outlive the bench, even when it has no time to end them properly. */
const pids = new Set();
let isEnding = false;

/**
 * Registers what is to be undone at the end.
 *
 * @param action may return a promise
 * @returns a function that takes it off the list, for who has done it himself
 */
export function atEnd(action) {
  undo.push(action);
  return () => {
    const at = undo.indexOf(action);
    if (at >= 0) undo.splice(at, 1);
  };
}

/** Registers a child process: killed at the end unless it has exited by then. */
export function ownProcess(child) {
  pids.add(child.pid);
  child.once('exit', () => pids.delete(child.pid));
  return child;
}

/** Registers a temporary folder: removed at the end. */
export function ownFolder(folder) {
  return atEnd(() => rmSync(folder, { recursive: true, force: true }));
}

/** Undoes everything; a failure of one does not keep the others from being undone. */
export async function cleanUp() {
  while (undo.length > 0) {
    try {
      await undo.pop()();
    } catch (error) {
      console.error(`cleaning up: ${error.message}`);
    }
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.on(signal, () => {
    // A second Ctrl-C does not wait any more: the handler of `exit` kills what is left.
    if (isEnding) process.exit(code);
    isEnding = true;
    void cleanUp().then(() => process.exit(code));
  });
}

process.on('exit', () => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
});
