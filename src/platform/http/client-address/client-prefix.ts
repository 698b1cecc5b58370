import type { FastifyRequest } from 'fastify';
import { ipPrefix } from './ip-prefix.js';

/** The servers of this process that have already logged the warning of `clientPrefixFrom`. */
const warned = new WeakSet<object>();

/**
 * Returns the client prefix of a client, for rate limits and sessions. If a trusted proxy sends
 * `unknown` or `_hidden` in `X-Forwarded-For` instead of an IP address, the client prefix of the
 * proxy is returned, and the first such request of a server is logged as a warning.
 *
 * @returns an IP prefix; empty if the connection is already closed
 */
export function clientPrefixFrom({ ip, socket, server }: FastifyRequest): string {
  const clientPrefix = ipPrefix(ip);
  if (clientPrefix !== null) return clientPrefix;
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined && !warned.has(server.server)) {
    warned.add(server.server);
    // The value itself is not logged, because it may contain personal data.
    server.log.warn(
      `the proxy ${remoteAddress} named a client in x-forwarded-for that is no IP address: let it ` +
        "append the client's address, or all such clients share its rate limit",
    );
  }
  return ipPrefix(remoteAddress) ?? '';
}
