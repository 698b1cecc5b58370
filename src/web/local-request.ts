import type { FastifyRequest } from 'fastify';
import { readAddress } from '../platform/http/client-address/ip-address.js';

/**
 * Headers that proxies and tunnels add. Behind a proxy on this machine, the address of the connection
 * tells nothing about the client.
 */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/**
 * Values of `Sec-Fetch-Site`: undefined from a program that is no browser, 'same-origin' from a page of this
 * server, 'none' for an address that somebody typed.
 */
const ALLOWED_SITES: readonly unknown[] = [undefined, 'same-origin', 'none'];

function isLoopback(address: string | undefined): boolean {
  return readAddress(address)?.range() === 'loopback';
}

/** `localhost` or an IP address, and perhaps a port: nothing that a URL parser could take for something else. */
const HOST = /^(localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+(?:\.[\d.]+)?\])(?::\d{1,5})?$/i;

/**
 * Whether the host name always means this machine. With any other name, a foreign page could read the
 * answer by DNS rebinding.
 */
function isLoopbackHost(host = ''): boolean {
  const [, name = ''] = HOST.exec(host) ?? [];
  return name.toLowerCase() === 'localhost' || isLoopback(name);
}

/**
 * Whether the request comes from a program of this machine, and from no page of another origin. `request.ip`
 * is not used, because a trusted proxy determines it.
 *
 * 1. The connection comes from a loopback address.
 * 2. `Host` is `localhost` or a loopback address.
 * 3. No proxy has forwarded the request.
 * 4. No page of another origin sent the request: a browser would say so in `Origin` or
 *    `Sec-Fetch-Site`.
 */
export function isFromThisMachine({
  socket,
  headers,
}: Pick<FastifyRequest, 'headers'> & {
  readonly socket: Pick<FastifyRequest['socket'], 'remoteAddress'>;
}): boolean {
  return (
    isLoopback(socket.remoteAddress) &&
    isLoopbackHost(headers.host) &&
    PROXY_HEADERS.every((name) => headers[name] === undefined) &&
    (headers.origin === undefined || headers.origin === `http://${headers.host}`) &&
    ALLOWED_SITES.includes(headers['sec-fetch-site'])
  );
}
