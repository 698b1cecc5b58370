import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inheritedEnv, startOwnServer, type OwnServer } from '../support/own-server.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/pressroom.mjs', import.meta.url));

/**
 * Starts a server with the people and articles of the demo.
 *
 * @param env further settings
 */
export async function startDemoServer(
  env: Readonly<Record<string, string>> = {},
): Promise<OwnServer> {
  const server = await startOwnServer({ env: { PUBLIC_FEEDS: 'on', ...env } });
  try {
    execFileSync(process.execPath, [PROGRAM, 'demo'], {
      cwd: server.folder,
      env: {
        ...inheritedEnv(),
        NODE_ENV: 'test',
        DATA_DIR: `${server.folder}/data`,
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
