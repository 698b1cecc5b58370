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
 * Program of the watcher process. The watcher starts mongod, writes the pid of mongod to descriptor 3, and
 * ends mongod when the watcher's standard input closes, which happens even if Pressroom is killed. The
 * watcher runs in a separate session, so that Ctrl-C in the terminal does not end mongod before Pressroom
 * has closed its connections. It is a shell script, which takes 1 MB of memory; a second Node process would
 * take 40 MB.
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
input_reader=$!
exec 4<&-
wait "$mongod"
code=$?
kill -KILL "$input_reader" 2>/dev/null
exit "$code"
`;

/** How to start mongod. */
export interface MongodSettings {
  readonly binary: string;
  readonly dbPath: string;
  readonly socket: string;
  readonly logFile: string;
}

/** A mongod that this process has started. */
export interface MongodProcess {
  readonly identity: ProcessIdentity;
  /**
   * Resolves when mongod has ended, with its exit code (128 + n after signal n), or null when
   * unknown.
   */
  readonly ended: Promise<number | null>;
  /** Whether mongod has not ended yet. */
  readonly isRunning: () => boolean;
  /** Lets this process exit while mongod runs; the watcher then ends mongod. */
  readonly unref: () => void;
  /** Sends SIGTERM to mongod, and SIGKILL after `killAfterMs` (default 20 s). Resolves when mongod has ended. */
  readonly end: (killAfterMs?: number) => Promise<void>;
}

/**
 * The command line of mongod.
 *
 * @param memoryBytes memory of the machine or container; an eighth of it, between 0.25 and 1 GB, is for
 *   the cache
 */
export function mongodArguments(
  { dbPath, socket }: Pick<MongodSettings, 'dbPath' | 'socket'>,
  memoryBytes: number,
): string[] {
  const cacheGigabytes = Math.min(Math.max(memoryBytes / 8 / GIGABYTE, 0.25), 1);
  return [
    '--replSet',
    REPLICA_SET,
    '--dbpath',
    dbPath,
    // mongod listens on its socket instead of a TCP port: without a password, every local user could
    // connect to a port. `--nounixsocket` prevents a second socket in /tmp, which would replace the socket
    // of another MongoDB.
    '--bind_ip',
    socket,
    '--nounixsocket',
    '--filePermissions',
    '0600',
    // zlib is left out because of CVE-2025-14847 (mongod leaks memory contents to clients).
    '--networkMessageCompressors',
    'snappy,zstd',
    '--wiredTigerCacheSizeGB',
    cacheGigabytes.toFixed(2),
    '--oplogSize',
    '256',
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
    // A shutdown need not wait for a secondary, because there is none.
    '--setParameter',
    'shutdownTimeoutMillisForSignaledShutdown=100',
  ];
}

/**
 * Starts mongod under a watcher. Appends the output of mongod to the log file.
 *
 * @returns as soon as the process exists, before it accepts connections
 * @throws {Error} when the watcher does not start; for a `binary` that cannot be run, `ended` resolves instead
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
  // Errors of the pipe are ignored: nothing is written to it, and `exit` reports the end of the watcher.
  stdin.on('error', () => undefined);
  stdin.unref();
  // If mongod has ended already, its identity gets a start time that no process has.
  const identity = await getIdentity(pid).catch(() => ({ pid, startTime: 'ended' }));
  let isRunning = true;
  const ended = exited.then(async (code) => {
    // If the watcher was killed, mongod is still running.
    await endProcess(identity);
    isRunning = false;
    return code;
  });
  return {
    identity,
    ended,
    isRunning: () => isRunning,
    unref: () => child.unref(),
    end: async (killAfterMs) => {
      child.ref();
      stdin.end();
      await endProcess(identity, killAfterMs);
      await ended;
    },
  };
}

/** Sends SIGTERM to a process, and SIGKILL after `killAfterMs` (default 20 s). Resolves when it has ended. */
export async function endProcess(
  identity: ProcessIdentity,
  killAfterMs = STOP_TIMEOUT_MS,
): Promise<void> {
  if (!(await isAlive(identity))) return;
  sendSignal(identity.pid, 'SIGTERM');
  if (await endsWithin(identity, killAfterMs)) return;
  sendSignal(identity.pid, 'SIGKILL');
  await endsWithin(identity, STOP_TIMEOUT_MS);
}

async function endsWithin(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (await isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await wait(POLL_MS);
  }
  return true;
}

/** Reads the pid of mongod from the watcher. */
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
