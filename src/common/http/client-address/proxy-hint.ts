import type { FastifyInstance } from 'fastify';
import type { Env } from '../../../config/env.js';
import { addressRanges } from './ip-address.js';

/** So many requests decide, of those that the response cache does not answer. */
const SAMPLE = 20;

/** Loopback, link-local, and the ranges that are not routed on the internet. */
export const isPrivate = addressRanges([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

/**
 * Warns once when the server seems to stand behind a proxy that it was not told of: every one of the
 * first requests comes from one private address and names another one in `x-forwarded-for`. All
 * clients would count as one network.
 */
export function registerProxyHint(
  fastify: FastifyInstance,
  { TRUST_PROXY }: Pick<Env, 'TRUST_PROXY'>,
): void {
  if (TRUST_PROXY.length > 0) return;
  let remaining = SAMPLE;
  let proxy: string | undefined;
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    // Load balancers ask for the health directly.
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
