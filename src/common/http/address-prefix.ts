import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network a client comes from, coarse enough not to follow one person: /24 of IPv4, /56 of
 * IPv6; an IPv4 address that is mapped into IPv6 counts as IPv4.
 *
 * @returns an empty string for what is no address
 */
export function addressPrefix(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address.split('%')[0] ?? '';
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return '';
  return `${expand(plain).slice(0, 3).join(':')}:${(expand(plain)[3] ?? '0000').slice(0, 2)}00::/56`;
}

/** The eight groups of an IPv6 address, four digits each. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, '0'));
}
