import { runNode, temporaryFolder } from '../support/process.js';
import { until } from '../support/time/wait.js';
import { startApp, type TestApp } from '../support/start-app.js';

export interface CommandResult {
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
  ) => Promise<CommandResult>;
  /** Runs `pressroom` with `--json`. @returns the parsed output @throws Error unless the exit code is `code` */
  readonly json: (
    args: readonly string[],
    options?: { input?: string; code?: number },
    // Tests read the fields that they expect.
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
  ) => Promise<any>;
}

/** A server may serve outdated values from its caches for at most this long after a command. */
const COHERENCE_MS = 1_000;

/**
 * Waits until the server's answers show the effect of a command that has just ended.
 *
 * @throws Error when a request that was sent more than a second after the command still gets the old answer
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
