import type { FastifyRequest } from 'fastify';
import { ipPrefix } from './ip-prefix.js';

/** The servers whose log has the warning. */
const warned = new WeakSet<object>();

/**
 * The network that a request counts for. Where a trusted proxy names a client that is no IP address
 * (`unknown`, `_hidden`), that is the proxy's own: all such clients count together, and the log says
 * so once.
 *
 * @returns an address prefix; empty when the connection is gone, so that nobody reads the answer
 */
export function clientNetwork({ ip, socket, server }: FastifyRequest): string {
  const network = ipPrefix(ip);
  if (network !== null) return network;
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined && !warned.has(server.server)) {
    warned.add(server.server);
    // Without what was named: it may be somebody's address after all.
    server.log.warn(
      `the proxy ${remoteAddress} named a client in x-forwarded-for that is no IP address: let it ` +
        "append the client's address, or all such clients share its rate limit",
    );
  }
  return ipPrefix(remoteAddress) ?? '';
}
