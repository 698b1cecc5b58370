import type { FastifyInstance } from 'fastify';
import type { Env } from '../../config/env.js';
import { readAddress } from './ip-address.js';

/** Number of requests to inspect. Hits of the response cache do not count. */
const SAMPLE = 20;

/** The address ranges that are not routed on the internet, as ipaddr.js names them. */
const PRIVATE_RANGES: ReadonlySet<string | undefined> = new Set([
  ...['loopback', 'linkLocal', 'private', 'carrierGradeNat', 'uniqueLocal'],
]);

export function isPrivate(text: string): boolean {
  return PRIVATE_RANGES.has(readAddress(text)?.range());
}

/**
 * Warns once about a proxy that seems to be missing in TRUST_PROXY: the first 20 requests all come from
 * the same private address and have `X-Forwarded-For`. Without the setting, all clients behind that
 * proxy count as one client prefix.
 */
export function registerProxyHint(
  fastify: FastifyInstance,
  { TRUST_PROXY }: Pick<Env, 'TRUST_PROXY'>,
): void {
  if (TRUST_PROXY.length > 0) return;
  let remaining = SAMPLE;
  let proxy: string | undefined;
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    // Health checks of load balancers do not pass through the proxy.
    if (remaining > 0 && request.routeOptions.url?.startsWith('/health') !== true) {
      proxy ??= request.ip;
      const isForwarded = request.headers['x-forwarded-for'] !== undefined;
      remaining = isForwarded && request.ip === proxy && isPrivate(proxy) ? remaining - 1 : -1;
      if (remaining === 0) {
        fastify.log.warn(
          `the first ${SAMPLE} requests came from ${proxy} with x-forwarded-for: if that is your ` +
            'proxy, set TRUST_PROXY to its address, or all its clients share one rate limit',
        );
      }
    }
    done(null, payload);
  });
}
