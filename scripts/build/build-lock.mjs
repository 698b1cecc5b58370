import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LOCK = fileURLToPath(new URL('../../node_modules/.pressroom-build.lock', import.meta.url));

/** Milliseconds after which a lock is stale even if a process has its id: ids are used again. */
const STALE_MS = 600_000;
const WAIT_MS = 100;

/**
 * Does work while no other process builds `dist`. Waits for the one that does; takes over the lock of a process that
 * has ended without releasing it.
 *
 * @template Result
 * @param {() => Result} work
 * @param {string} path the lock file, which holds the id of its process
 * @returns {Result}
 */
export function withBuildLock(work, path = LOCK) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    while (!claim(own, path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  } finally {
    rmSync(own, { force: true });
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** @returns whether this process has the lock now */
function claim(own, path) {
  try {
    // A link appears together with its content, and fails if the name exists.
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = readHolder(path);
    if (holder !== null && isStale(holder)) remove(holder, path);
    return false;
  }
}

/** @returns the id of the process that holds the lock, and since when; null if nobody does */
function readHolder(path) {
  try {
    return { id: readFileSync(path, 'utf8'), since: statSync(path).mtimeMs };
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function isStale({ id, since }) {
  const pid = Number(id);
  if (!(pid > 0) || Date.now() - since > STALE_MS) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Removes a stale lock, and puts it back if another process has replaced it meanwhile. */
function remove(holder, path) {
  const removed = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, removed);
    if (readHolder(removed)?.id !== holder.id) linkSync(removed, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(removed, { force: true });
  }
}
