import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Matches an address with a port or brackets: `203.0.113.7:1234`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Parses an IP address as proxies write it into `X-Forwarded-For`: with or without a port, and IPv6
 * with or without brackets and zone.
 *
 * @returns the address, IPv4 for an IPv4-mapped IPv6 address; null if the text is no address
 */
export function readAddress(text: string | undefined): IpAddress | null {
  if (text === undefined) return null;
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? text).split('%');
  // Without `isIP`, ipaddr.js would also accept `127.1` and `0x7f.1`.
  return isIP(address) === 0 ? null : ipaddr.process(address);
}

/**
 * @param ranges valid addresses and CIDR ranges
 * @returns a function that tells whether an address is in one of the ranges; it takes every form that
 *   `readAddress` parses
 */
export function addressRanges(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(length), family);
  }
  return (text) => {
    const address = readAddress(text);
    return address !== null && list.check(address.toString(), address.kind());
  };
}
