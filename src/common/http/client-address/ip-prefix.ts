import { isIPv4 } from 'node:net';
import { readAddress } from './ip-address.js';

/**
 * The network a client comes from, coarse enough not to follow one person: /24 of IPv4, /56 of
 * IPv6; an IPv4 address that is mapped into IPv6 counts as IPv4.
 *
 * @param text an address, with or without a port or brackets
 * @returns null for what is no address
 */
export function ipPrefix(text: string | undefined): string | null {
  const address = readAddress(text);
  if (address === null) return null;
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const [first, second, third, fourth = ''] = expand(address);
  return `${first}:${second}:${third}:${fourth.slice(0, 2)}00::/56`;
}

/** The eight groups of an IPv6 address, four digits each. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, '0'));
}
