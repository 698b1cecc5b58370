import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLogged } from '../../scripts/support/logged-process.ts';
import { freePort } from '../../scripts/support/network/free-port.ts';
import { pinned, type Cpus } from '../support/machine/cpus.ts';
import { provide, SERVER_ENV } from '../support/machine/packages.ts';
import { atEnd, ownFolder, ownProcess } from '../support/program.ts';
import { answers, until } from '../support/timing.ts';

const VCL = fileURLToPath(new URL('../../examples/cdn/default.vcl', import.meta.url));
/** The line of examples/cdn/default.vcl that the bench replaces, because port 3000 may be in use. */
const BACKEND_PORT = '.port = "3000";';
const START_MS = 20_000;
const PACKAGES = ['varnish', 'varnish-modules'];

export interface Edge {
  readonly url: string;
  /** Number of requests that Varnish has sent to Pressroom. */
  backendRequests(): number;
}

/** Installs Varnish if it is missing. @returns its version @throws UserError when Varnish cannot be installed */
export function findVarnish(): string {
  return provide(PACKAGES, varnishVersion);
}

function varnishVersion(): string | null {
  // varnishd prints its version to stderr.
  const { error, stderr } = spawnSync('varnishd', ['-V'], { env: SERVER_ENV, encoding: 'utf8' });
  return error ? null : (/varnish-[\d.]+/.exec(stderr)?.[0] ?? 'varnish of an unknown version');
}

/**
 * Starts Varnish with the configuration of examples/cdn, on the server's core. It ends with the program.
 * @param originPort port of Pressroom, which need not run yet
 * @throws Error with the output of varnishd when it does not start
 */
export async function startVarnish(originPort: number, cpus: Cpus): Promise<Edge> {
  const { folder } = ownFolder();
  // Varnish compiles the configuration as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const vcl = join(folder, 'default.vcl');
  writeFileSync(vcl, configuration(originPort));
  const name = join(folder, 'varnish');
  const args = [
    '-F',
    `-n${name}`,
    `-a127.0.0.1:${port}`,
    '-Tnone',
    `-f${vcl}`,
    '-smalloc,256m',
    // The timeout is long: if Varnish closed a connection just when a reader sends on it, the read would fail
    // although the configuration is right.
    '-ptimeout_idle=300',
  ];
  const logFile = join(folder, 'varnish.log');
  const server = startLogged(pinned(cpus.server, 'varnishd', args), logFile, { env: SERVER_ENV });
  ownProcess(server.child);
  atEnd(() => server.stop());
  const url = `http://127.0.0.1:${port}`;
  await until('varnishd', () => answers(url), { withinMs: START_MS, whyNot: server.readLog });
  return {
    url,
    backendRequests: () => counterOf(name, 'MAIN.backend_req'),
  };
}

function configuration(originPort: number): string {
  const parts = readFileSync(VCL, 'utf8').split(BACKEND_PORT);
  if (parts.length !== 2) throw new Error(`${VCL} must say ${BACKEND_PORT} once`);
  return parts.join(`.port = "${originPort}";`);
}

function counterOf(name: string, counter: string): number {
  const text = execFileSync('varnishstat', ['-n', name, '-1', '-f', counter], {
    env: SERVER_ENV,
    encoding: 'utf8',
  });
  return Number(text.trim().split(/\s+/)[1]);
}
