import { runNode, temporaryFolder } from '../support/process.js';
import { until } from '../support/time/wait.js';
import { startApp, type TestApp } from '../support/start-app.js';

export interface Ran {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandFixture {
  /** A running server on the database of the commands. */
  readonly server: TestApp;
  /** Runs `pressroom` with these arguments. */
  readonly run: (
    args: readonly string[],
    options?: { input?: string; env?: Readonly<Record<string, string>> },
  ) => Promise<Ran>;
  /** The same with `--json`. @returns what it printed @throws Error unless it has ended with this code */
  readonly json: (
    args: readonly string[],
    options?: { input?: string; code?: number },
    // Tests read the fields that they expect.
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
  ) => Promise<any>;
}

/** How long a server may go on with what was true before a command. */
const COHERENCE_MS = 1_000;

/**
 * Waits until the server answers as a command that has just ended says.
 *
 * @throws Error when an answer to a request of more than a second later is still the old one
 */
export async function untilCoherent(
  description: string,
  isNew: () => Promise<boolean>,
): Promise<void> {
  const ended = performance.now();
  await until(description, async () => {
    const isLate = performance.now() - ended > COHERENCE_MS;
    if (await isNew()) return true;
    if (isLate) throw new Error(`not within a second: ${description}`);
    return false;
  });
}

export async function openCommandFixture(
  env: Readonly<Record<string, string>> = {},
): Promise<CommandFixture> {
  const server = await startApp({ env });
  const cwd = await temporaryFolder();
  const run: CommandFixture['run'] = (args, { input = '', env: more = {} } = {}) =>
    runNode(['bin/pressroom.mjs', ...args], {
      cwd,
      input,
      env: {
        MONGODB_URI: server.uri,
        JWT_PRIVATE_KEYS: server.env.JWT_PRIVATE_KEYS ?? '',
        ...env,
        ...more,
      },
    });
  return {
    server,
    run,
    json: async (args, { code = 0, ...options } = {}) => {
      const ran = await run([...args, '--json'], options);
      if (ran.code !== code) throw new Error(`${args.join(' ')}: ${ran.code} ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
  };
}
