import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** `203.0.113.7:1234`, `[2001:db8::1]` and `[2001:db8::1]:443`; an address alone is neither. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Reads an IP address as proxies write it into `X-Forwarded-For`: with or without a port, IPv6 with
 * or without brackets, with or without a zone.
 *
 * @returns an IPv4 address that is mapped into IPv6 as IPv4; null for what is no address
 */
export function readAddress(text: string | undefined): IpAddress | null {
  if (text === undefined) return null;
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? text).split('%');
  // ipaddr.js alone would also read `127.1` and `0x7f.1`.
  return isIP(address) === 0 ? null : ipaddr.process(address);
}

/**
 * @param ranges addresses and CIDR ranges, each valid
 * @returns whether an address, in any of the forms that are read, is in one of them
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
