import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { getIdentity, isAlive, sendSignal, type ProcessIdentity } from './process-facts.js';

const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
const GIGABYTE = 1024 ** 3;
/** Name of the replica set. */
export const REPLICA_SET = 'pressroom';

/**
 * The watcher: starts mongod, says its process id on descriptor 3, and ends it as soon as its own
 * standard input closes, which happens however the app dies. It leads a session of its own, so Ctrl-C
 * in the terminal reaches neither it nor mongod before the app has closed its connections. A shell
 * costs 1 MB where another Node would cost 40.
 */
const WATCHER = `
exec 4<&0 </dev/null
"$@" 3>&- 4<&- &
mongod=$!
echo "$mongod" >&3
exec 3>&-
trap '' HUP INT TERM
{
  while read -r line; do :; done
  kill -TERM "$mongod"
  tries=0
  while [ "$tries" -lt 300 ] && kill -0 "$mongod"; do sleep 0.1; tries=$((tries + 1)); done
  kill -KILL "$mongod"
} <&4 >/dev/null 2>&1 &
watcher=$!
exec 4<&-
wait "$mongod"
code=$?
kill -KILL "$watcher" 2>/dev/null
exit "$code"
`;

/** How mongod is to be started. */
export interface MongodSettings {
  readonly binary: string;
  readonly dbPath: string;
  readonly socket: string;
  readonly logFile: string;
}

/** A mongod that was started here. */
export interface MongodProcess {
  readonly identity: ProcessIdentity;
  /** Resolves when it has ended, to its exit code (128 + n after signal n); null when unknown. */
  readonly ended: Promise<number | null>;
  /** Whether it has not ended yet. */
  readonly isRunning: () => boolean;
  /** From now on this process may end by itself while mongod runs; the watcher then ends mongod. */
  readonly unref: () => void;
  /** Ends it, by force if it has not followed within 20 s. Resolves when it is gone. */
  readonly end: () => Promise<void>;
}

/**
 * The command line of mongod.
 *
 * @param memoryBytes memory that this machine or container may use; an eighth of it, between 0.25
 *   and 1 GB, becomes the cache
 */
export function mongodArguments(
  { dbPath, socket }: Pick<MongodSettings, 'dbPath' | 'socket'>,
  memoryBytes: number,
): string[] {
  const cacheGigabytes = Math.min(Math.max(memoryBytes / 8 / GIGABYTE, 0.25), 1);
  return [
    ...['--replSet', REPLICA_SET, '--dbpath', dbPath],
    // No TCP: without a password, a port would let every local user in. And no second socket in
    // /tmp, which mongod makes otherwise, in place of the one of a MongoDB that may run there.
    ...['--bind_ip', socket, '--nounixsocket', '--filePermissions', '0600'],
    // Without zlib, whose handling in mongod leaked memory to clients (CVE-2025-14847).
    ...['--networkMessageCompressors', 'snappy,zstd'],
    ...['--wiredTigerCacheSizeGB', cacheGigabytes.toFixed(2), '--oplogSize', '256'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // There is no other member to wait for when it goes.
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
}

/**
 * Starts mongod under its watcher, with its output appended to the log file.
 *
 * @returns as soon as the process exists; it does not answer yet
 * @throws {Error} when it cannot be started at all
 */
export async function startMongod(settings: MongodSettings): Promise<MongodProcess> {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  const command = [settings.binary, ...mongodArguments(settings, memory)];
  const log = openSync(settings.logFile, 'a', 0o600);
  let child: ChildProcess;
  try {
    child = spawn('/bin/sh', ['-c', WATCHER, 'pressroom-mongod', ...command], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', log, log, 'pipe'],
    });
  } finally {
    closeSync(log);
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const pid = await readPid(child);
  const stdin = child.stdin as Writable & { unref(): void };
  // The pipe is there to be closed; that its other end went away is told by `exit`.
  stdin.on('error', () => undefined);
  stdin.unref();
  const identity = await getIdentity(pid).catch(() => ({ pid, startTime: 'ended' }));
  let isRunning = true;
  const ended = exited.then(async (code) => {
    // Only when the watcher itself was killed does mongod outlive it.
    await endProcess(identity);
    isRunning = false;
    return code;
  });
  return {
    identity,
    ended,
    isRunning: () => isRunning,
    unref: () => child.unref(),
    end: async () => {
      child.ref();
      stdin.end();
      await endProcess(identity);
      await ended;
    },
  };
}

/** Ends a process: politely, then by force. Resolves when it is gone; at once if it is gone already. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  if (!(await isAlive(identity))) return;
  sendSignal(identity.pid, 'SIGTERM');
  if (await isGone(identity)) return;
  sendSignal(identity.pid, 'SIGKILL');
  await isGone(identity);
}

async function isGone(identity: ProcessIdentity): Promise<boolean> {
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (await isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await wait(POLL_MS);
  }
  return true;
}

/** The process id that the watcher says. */
function readPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const pipe = child.stdio[3] as Readable;
    let text = '';
    child.once('error', reject);
    pipe.setEncoding('utf8');
    pipe.on('data', (part: string) => (text += part));
    pipe.on('error', reject);
    pipe.on('close', () => {
      const pid = Number(text);
      if (pid > 0) resolve(pid);
      else reject(new Error('The watcher of mongod did not start.'));
    });
  });
}
