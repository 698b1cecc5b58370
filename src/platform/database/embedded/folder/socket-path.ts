import { chmod, mkdir, mkdtemp, realpath, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SOCKET = 'm.sock';
const TEMPORARY_PREFIX = 'pressroom-';
const TEMPORARY_FOLDER = /^pressroom-\w{6}$/;
/** Longest path of a socket in bytes: sun_path holds 104 bytes on macOS, 108 on Linux (unix(7)). */
const SOCKET_PATH_BYTES = 100;
/**
 * A path without characters that have a meaning in `--bind_ip`, in a host name or in a connection
 * string.
 */
const PLAIN_PATH = /^[\w./-]+$/;

/**
 * Creates a private folder for mongod's socket in the data folder. Creates a temporary folder instead if
 * the path would be too long for a socket or have characters that a host name cannot have.
 *
 * @returns path of the socket; remove it with `removeSocket`
 */
export async function prepareSocket(root: string): Promise<string> {
  const folder = path.join(root, 'sock');
  const socket = path.join(folder, SOCKET);
  if (isSocketPath(socket)) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    return socket;
  }
  const base = await realpath(tmpdir());
  const isUsable = isSocketPath(path.join(base, `${TEMPORARY_PREFIX}XXXXXX`, SOCKET));
  return path.join(await mkdtemp(path.join(isUsable ? base : '/tmp', TEMPORARY_PREFIX)), SOCKET);
}

/**
 * Removes an unused socket that `prepareSocket` created, and its folder if that is temporary. Ignores any
 * other socket, such as one at the path that a moved data folder had before.
 */
export async function removeSocket(root: string, socket: string): Promise<void> {
  const folder = path.dirname(socket);
  const isTemporary = TEMPORARY_FOLDER.test(path.basename(folder));
  if (!isTemporary && folder !== path.join(root, 'sock')) return;
  await rm(socket, { force: true });
  if (isTemporary) await rmdir(folder).catch(() => undefined);
}

/** Whether mongod can listen at the path and a connection string can contain it. */
export function isSocketPath(socket: string): boolean {
  return Buffer.byteLength(socket) <= SOCKET_PATH_BYTES && PLAIN_PATH.test(socket);
}
