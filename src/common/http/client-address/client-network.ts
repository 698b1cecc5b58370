import type { FastifyRequest } from 'fastify';
import { ipPrefix } from './ip-prefix.js';

/** Servers that have logged the warning. */
const warned = new WeakSet<object>();

/**
 * The network of a client, for rate limits and sessions. If a trusted proxy sends no IP address in
 * `X-Forwarded-For` (`unknown`, `_hidden`), it is the network of the proxy, with one warning in the log.
 *
 * @returns an IP prefix; empty when the connection is closed, when no response can be sent either
 */
export function clientNetwork({ ip, socket, server }: FastifyRequest): string {
  const network = ipPrefix(ip);
  if (network !== null) return network;
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined && !warned.has(server.server)) {
    warned.add(server.server);
    // Does not log the value, which may contain personal data.
    server.log.warn(
      `the proxy ${remoteAddress} named a client in x-forwarded-for that is no IP address: let it ` +
        "append the client's address, or all such clients share its rate limit",
    );
  }
  return ipPrefix(remoteAddress) ?? '';
}
