import { once } from 'node:events';
import { createServer, type AddressInfo, type ListenOptions } from 'node:net';
import type { SharedPort } from './messages.js';

/** Error codes of systems without SO_REUSEPORT for load balancing, such as macOS. */
const REUSE_PORT_UNSUPPORTED: ReadonlySet<unknown> = new Set(['ENOTSUP', 'EINVAL', 'ENOPROTOOPT']);

/**
 * Finds a free port for the workers, and whether the system supports SO_REUSEPORT.
 *
 * It first listens without SO_REUSEPORT, which fails if the port is in use. With SO_REUSEPORT, the
 * workers would silently share the port with another server of the same user.
 *
 * @param address `port` 0 means any free port
 * @param canReusePort whether the system supports SO_REUSEPORT; tried out when undefined
 * @throws the system's error, such as EADDRINUSE
 */
export async function findSharedPort(
  { host, port }: Pick<SharedPort, 'host' | 'port'>,
  canReusePort?: boolean,
): Promise<SharedPort> {
  const freePort = await listenOnce({ host, port });
  const reusePort = canReusePort ?? (await tryReusePort({ host, port: freePort }));
  return { host, port: freePort, reusePort };
}

async function tryReusePort(address: Pick<SharedPort, 'host' | 'port'>): Promise<boolean> {
  try {
    await listenOnce({ ...address, reusePort: true });
    return true;
  } catch (error) {
    if (REUSE_PORT_UNSUPPORTED.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}

/**
 * Listens and closes again.
 *
 * @returns the port
 */
async function listenOnce(options: ListenOptions): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  // In a cluster, `exclusive` opens a socket of this process instead of one of the primary.
  server.listen({ ...options, exclusive: true });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
