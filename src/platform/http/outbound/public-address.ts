import ipaddr from 'ipaddr.js';

/** The address range that is routed on the public internet (IANA IPv6 Global Unicast). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether the host of a URL shows that webhooks may not reach it: an address that is not public, in any
 * spelling, because the URL parser writes addresses in one form; or a name of this machine (RFC 6761).
 *
 * @param hostname as `URL.hostname` has it
 */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  if (/^\[.*\]$|^[\d.]+$/.test(name)) return !isPublicAddress(name.replace(/^\[|\]$/g, ''));
  return /(?:^|\.)localhost$/.test(name);
}

/**
 * Whether an IP address is one of the public internet. Loopback, private, link-local, shared and reserved
 * addresses are not, and neither are IPv6 addresses that stand for an IPv4 address: mapped, compatible,
 * NAT64, 6to4 and Teredo.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === 'unicast';
}
