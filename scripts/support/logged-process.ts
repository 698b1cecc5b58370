import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

const STOP_MS = 20_000;

export interface LoggedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly readLog: () => string;
  readonly isRunning: () => boolean;
  /** Ends the process by SIGTERM, or by SIGKILL after `stopMs`. */
  readonly stop: () => Promise<void>;
}

/** Starts a program whose output is written to a file. */
export function startLogged(
  [program, args]: readonly [program: string, args: readonly string[]],
  logFile: string,
  { stopMs = STOP_MS, ...options }: Omit<SpawnOptions, 'stdio'> & { stopMs?: number },
): LoggedProcess {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program, args, { ...options, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = once(child, 'close');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    child,
    pid: child.pid ?? NaN,
    readLog: () => readFileSync(logFile, 'utf8'),
    isRunning,
    async stop() {
      if (!isRunning()) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
