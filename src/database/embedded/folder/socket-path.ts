import { chmod, mkdir, mkdtemp, realpath, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SOCKET = 'm.sock';
const TEMPORARY_PREFIX = 'pressroom-';
const TEMPORARY_FOLDER = /^pressroom-\w{6}$/;
/** sun_path holds 104 bytes on macOS, 108 on Linux (unix(7)). */
const SOCKET_PATH_BYTES = 100;
/** Free of what means something in a list of addresses, a host name or a connection string. */
const PLAIN_PATH = /^[\w./-]+$/;

/**
 * A folder that only this user can enter, for mongod's socket: in the data folder, or a temporary
 * one when that path is too long for a socket or has characters that a host name cannot have.
 *
 * @returns path of the socket, to be removed with `removeSocket`
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
  const isShort = isSocketPath(path.join(base, `${TEMPORARY_PREFIX}XXXXXX`, SOCKET));
  return path.join(await mkdtemp(path.join(isShort ? base : '/tmp', TEMPORARY_PREFIX)), SOCKET);
}

/**
 * Removes a socket that is no longer served, with its folder if that was a temporary one. A path that
 * belongs to neither (the old place of a folder that was moved) is left alone.
 */
export async function removeSocket(root: string, socket: string): Promise<void> {
  const folder = path.dirname(socket);
  const isTemporary = TEMPORARY_FOLDER.test(path.basename(folder));
  if (!isTemporary && folder !== path.join(root, 'sock')) return;
  await rm(socket, { force: true });
  if (isTemporary) await rmdir(folder).catch(() => undefined);
}

/** Whether mongod can listen at a path and drivers can be told it. */
export function isSocketPath(socket: string): boolean {
  return Buffer.byteLength(socket) <= SOCKET_PATH_BYTES && PLAIN_PATH.test(socket);
}
