import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

/** `203.0.113.7:1234`, `[2001:db8::1]` and `[2001:db8::1]:443`; an address alone is neither. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

const MAPPED = /^::ffff:(?=\d+\.)/;

/**
 * Reads an IP address as proxies write it into `X-Forwarded-For`: with or without a port, IPv6 with
 * or without brackets.
 *
 * @returns the one way to write it: without port, brackets and zone, in lower case, an IPv4 address
 * that is mapped into IPv6 as IPv4; null for what is no address
 */
export function readAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? text).split('%');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(MAPPED, '');
}

/**
 * @param ranges addresses and CIDR ranges, each valid
 * @returns whether an address, in any of the forms that are read, is in one of them
 */
export function addressRanges(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    if (length === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(length), familyOf(address));
  }
  return (text) => {
    const address = readAddress(text);
    return address !== null && list.check(address, familyOf(address));
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
