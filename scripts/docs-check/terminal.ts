import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const SERVER_START_MS = 120_000;
const SERVER_STOP_MS = 30_000;

/** The output of the commands of a block, and whether all of them succeeded. */
export interface Outcome {
  readonly isOk: boolean;
  readonly output: string;
}

export interface ShellOptions {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A shell that keeps its variables and functions from one block to the next, as a terminal does. */
export class Terminal {
  private readonly shell: ChildProcess;
  private readonly lines: AsyncIterator<string, undefined>;

  private readonly options: ShellOptions;

  constructor(options: ShellOptions) {
    this.options = options;
    this.shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: options.folder,
      env: options.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!this.shell.stdout) throw new Error('the shell has no output');
    this.lines = createInterface({ input: this.shell.stdout })[Symbol.asyncIterator]();
  }

  /** Runs commands in the folder of the clone. The first one that fails ends the block. */
  async run(commands: string): Promise<Outcome> {
    const end = `== end of block ${crypto.randomUUID()}`;
    this.shell.stdin?.write(
      `cd ${quoted(this.options.folder)}\n` +
        // The commands run in a group and not in a subshell, so that variables stay. Their input is /dev/null,
        // because the shell reads its own commands from its input.
        `block() {\n${commands}\n}\nset -eo pipefail\n` +
        `trap 'echo; echo "${end} failed"' EXIT\n{ block; } < /dev/null 2>&1\ntrap - EXIT\n` +
        `set +eo pipefail\necho; echo "${end} ok"\n`,
    );
    const output: string[] = [];
    for (;;) {
      const { value } = await this.lines.next();
      if (value === undefined || value === `${end} failed`)
        return { isOk: false, output: output.join('\n') };
      if (value === `${end} ok`) return { isOk: true, output: output.join('\n') };
      output.push(value);
    }
  }

  close(): void {
    this.shell.stdin?.end();
  }
}

/** The terminal of a block that starts a server. */
export class ServerTerminal {
  private readonly shell: ChildProcess;
  private readonly output: string[] = [];

  constructor(commands: string, { folder, env }: ShellOptions) {
    // The shell has a process group of its own, so that Ctrl-C can be sent to it.
    this.shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', commands], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.shell.stdout, this.shell.stderr]) {
      stream?.on('data', (data: Buffer) => this.output.push(data.toString()));
    }
  }

  /** Waits until the server answers that it is ready. */
  async untilReady(url: string): Promise<Outcome> {
    const deadline = performance.now() + SERVER_START_MS;
    while (this.isRunning() && performance.now() < deadline) {
      const isReady = await fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return { isOk: true, output: '' };
      await wait(200);
    }
    return { isOk: false, output: this.output.join('') };
  }

  /** Sends Ctrl-C, and waits until all processes of the block have ended, including the database. */
  async stop(): Promise<void> {
    this.signal('SIGINT');
    const deadline = performance.now() + SERVER_STOP_MS;
    while (this.signal(0)) {
      if (performance.now() > deadline) this.signal('SIGKILL');
      await wait(50);
    }
  }

  private isRunning(): boolean {
    return this.shell.exitCode === null && this.shell.signalCode === null;
  }

  /** Sends a signal to all processes of the block; 0 only checks. @returns false if no process is left */
  private signal(name: NodeJS.Signals | 0): boolean {
    try {
      return this.shell.pid !== undefined && process.kill(-this.shell.pid, name);
    } catch {
      return false;
    }
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
