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
    runCommand(server, 'demo');
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The URL of a page, with the secrets of the data folder for one opening. */
export function linkTo(server: OwnServer, path: string): URL {
  const { hash } = new URL(runCommand(server, 'link'));
  return new URL(path + hash, server.url);
}

/** @returns what the command prints */
function runCommand(server: OwnServer, name: string): string {
  return execFileSync(process.execPath, [PROGRAM, name], {
    cwd: server.folder,
    encoding: 'utf8',
    env: {
      ...inheritedEnv(),
      NODE_ENV: 'test',
      DATA_DIR: `${server.folder}/data`,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}
