import { once } from 'node:events';
import { createServer, type AddressInfo, type ListenOptions } from 'node:net';
import type { SharedPort } from './messages.js';

/** What a system says that cannot share a port among sockets, such as macOS. */
const CANNOT_SHARE: ReadonlySet<unknown> = new Set(['ENOTSUP', 'EINVAL', 'ENOPROTOOPT']);

/**
 * Finds out where workers may listen: that nobody else does, and whether the system shares a port.
 *
 * Sockets with SO_REUSEPORT would share the port in silence with another server of this user, so
 * one without it asks first.
 *
 * @param address `port` 0: any free one
 * @param canReusePort whether the system shares a port; it is asked when left out
 * @throws the system's error, such as EADDRINUSE
 */
export async function findSharedPort(
  { host, port }: Pick<SharedPort, 'host' | 'port'>,
  canReusePort?: boolean,
): Promise<SharedPort> {
  const free = await listenOnce({ host, port });
  const reusePort = canReusePort ?? (await tryReusePort({ host, port: free }));
  return { host, port: free, reusePort };
}

async function tryReusePort(address: Pick<SharedPort, 'host' | 'port'>): Promise<boolean> {
  try {
    await listenOnce({ ...address, reusePort: true });
    return true;
  } catch (error) {
    if (CANNOT_SHARE.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}

/** @returns the port that was listened on, free again */
async function listenOnce(options: ListenOptions): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  // Not one that a supervisor of somebody else's hands out.
  server.listen({ ...options, exclusive: true });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
