import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Preparation } from '../setup/setup.service.js';
import { WorkerStartError } from './pool/worker-start.error.js';

const PROGRAM = fileURLToPath(new URL('./preparation.main.js', import.meta.url));

/** The process that prepares the database before workers start. */
export class PreparationProcess {
  private child: ChildProcess | null = null;

  /** @throws WorkerStartError when the process fails; it has printed the reason to stderr */
  async run(): Promise<Preparation> {
    const child = fork(PROGRAM);
    this.child = child;
    let preparation: Preparation | null = null;
    child.once('message', (message) => (preparation = message as Preparation));
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    this.child = null;
    if (preparation !== null) return preparation;
    throw new WorkerStartError('the database could not be prepared', signal ?? `exit code ${code}`);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}
