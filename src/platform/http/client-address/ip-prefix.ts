import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { readAddress } from './ip-address.js';

/** Cache of prefixes by the text that was parsed, because parsing takes several microseconds. */
const prefixes = new LRUCache<string, string>({ max: 1_000 });

/** Length of the longest text that is cached, in characters. An address with a zone name may be longer. */
const MAX_CACHED_LENGTH = 60;

/**
 * Shortens the IP address of a client to a prefix that does not identify a person: /24 of IPv4, /56 of
 * IPv6. An IPv4-mapped IPv6 address counts as IPv4.
 *
 * @param text an address, with or without a port or brackets
 * @returns for example `203.0.113.0/24` or `2001:0db8:1234:5600::/56`; null if the text is no address
 */
export function ipPrefix(text: string | undefined): string | null {
  if (text === undefined) return null;
  const prefix = prefixes.get(text) ?? shorten(text);
  if (prefix !== null && text.length <= MAX_CACHED_LENGTH) prefixes.set(text, prefix);
  return prefix;
}

function shorten(text: string): string | null {
  const address = readAddress(text);
  if (address === null) return null;
  if (address.kind() === 'ipv4') {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/24`).toString()}/24`;
  }
  const clientPrefix = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/56`);
  // The first four groups are 64 bits, so they contain the 56 bits of the prefix. Stored counters and
  // sessions contain this form.
  const groups = clientPrefix.parts.slice(0, 4).map((group) => group.toString(16).padStart(4, '0'));
  return `${groups.join(':')}::/56`;
}
