import {
  childrenOf,
  commandsNaming,
  isRunning,
} from '../../platform/database/embedded/fixture/processes.js';
import { startNode, untilReady, type RunningProcess } from '../../support/process.js';
import { until } from '../../support/time/wait.js';

/** A server of several processes. */
export interface WorkersServer extends RunningProcess {
  readonly url: string;
  readonly pid: number;
  /** Process ids of the running workers. */
  workers(): number[];
}

/**
 * Starts the built program and waits until it prints its URL.
 *
 * @param args the module and its arguments
 */
export async function startServer(
  cwd: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = ['dist/main.js'],
): Promise<WorkersServer> {
  const running = startNode(args, {
    cwd,
    env: { NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'error', WORKERS: '2', ...env },
  });
  const pid = running.child.pid ?? 0;
  const url = await untilReady(running);
  return { ...running, url, pid, workers: () => childrenRunning('worker.main.js', pid) };
}

/** Process ids of the children of `parent` that run this program. */
export function childrenRunning(program: string, parent: number): number[] {
  const running = commandsNaming(program).map((line) => Number.parseInt(line, 10));
  return childrenOf(parent).filter((pid) => running.includes(pid));
}

/** Whether as many workers run as in `before`, and none of them is in `before`. */
export function hasReplaced(server: WorkersServer, before: readonly number[]): boolean {
  const now = server.workers();
  return now.length === before.length && !now.some((pid) => before.includes(pid));
}

export async function untilGone(pids: readonly number[]): Promise<void> {
  await until(`processes ${pids.join(', ')} to end`, () => !pids.some(isRunning), 20_000);
}
