import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Env } from '../../config/env.js';
import { readAddress } from './ip-address.js';

/** Number of requests to inspect. */
const SAMPLE = 20;

/** The address ranges that are not routed on the internet, as ipaddr.js names them. */
const PRIVATE_RANGES: ReadonlySet<string | undefined> = new Set([
  'loopback',
  'linkLocal',
  'private',
  'carrierGradeNat',
  'uniqueLocal',
]);

export function isPrivate(text: string): boolean {
  return PRIVATE_RANGES.has(readAddress(text)?.range());
}

/**
 * Warns once if TRUST_PROXY is not set and the server seems to run behind a proxy: the first 20 requests
 * all come from the same private address and have `X-Forwarded-For`. Without the setting, all clients behind
 * that proxy count as one client prefix. The inspection ends with the warning, or with the first request
 * from a public address, from a second address, or without the header.
 */
export function registerProxyHint(
  fastify: FastifyInstance,
  { TRUST_PROXY }: Pick<Env, 'TRUST_PROXY'>,
): void {
  if (TRUST_PROXY.length > 0) return;
  const { server } = fastify;
  let remaining = SAMPLE;
  let proxy: string | undefined;
  const inspect = ({ url, headers, socket: { remoteAddress = '' } }: IncomingMessage): void => {
    // Health checks of load balancers do not pass through the proxy.
    if (url?.startsWith('/health')) return;
    proxy ??= remoteAddress;
    const isForwarded = headers['x-forwarded-for'] !== undefined && remoteAddress === proxy;
    // -1 ends the inspection without a warning.
    remaining = isForwarded && isPrivate(proxy) ? remaining - 1 : -1;
    if (remaining > 0) return;
    server.off('request', inspect);
    if (remaining < 0) return;
    fastify.log.warn(
      `the first ${SAMPLE} requests came from ${proxy} with x-forwarded-for: if that is your ` +
        'proxy, set TRUST_PROXY to its address, or all its clients share one rate limit',
    );
  };
  server.on('request', inspect);
}
