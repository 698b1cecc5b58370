import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ipPrefix } from './ip-prefix.js';

describe('ipPrefix', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1234:5678:9abc:def0:1234:5678', '2001:0db8:1234:5600::/56'],
    ['2001:db8::1', '2001:0db8:0000:0000::/56'],
    ['2001:db8:1:ff::', '2001:0db8:0001:0000::/56'],
    ['::', '0000:0000:0000:0000::/56'],
    ['fe80::1%eth0', 'fe80:0000:0000:0000::/56'],
    ['203.0.113.7:1234', '203.0.113.0/24'],
    ['[2001:db8::1]:443', '2001:0db8:0000:0000::/56'],
  ])('should shorten %s to %s', (address, prefix) => {
    expect(ipPrefix(address)).toBe(prefix);
    // The second call finds the prefix in the cache.
    expect(ipPrefix(address)).toBe(prefix);
  });

  it.each([undefined, 'unknown'])('should be null for %j, which is no address', (text) => {
    expect(ipPrefix(text)).toBeNull();
  });

  it('should be equal for all addresses of a client prefix, in any spelling', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const hostGroups = fc.tuple(group, group, group, group);
    fc.assert(
      fc.property(
        fc.tuple(group, group, group),
        group,
        hostGroups,
        hostGroups,
        (firstThree, fourth, a, b) => {
          // The prefix ends after the high byte of the fourth group; `low` is the other byte.
          const address = (low: number, host: readonly number[]): string =>
            [...firstThree, (fourth & 0xff00) | (low & 0xff), ...host.slice(1)]
              .concat(host[0] ?? 0)
              .map((part) => part.toString(16))
              .join(':');
          const compressed = new URL(`http://[${address(a[0], a)}]/`).hostname.slice(1, -1);
          fc.pre(!compressed.startsWith('::ffff:'));
          expect(ipPrefix(address(a[0], a))).toBe(ipPrefix(address(b[0], b)));
          expect(ipPrefix(compressed)).toBe(ipPrefix(address(a[0], a)));
        },
      ),
    );
  });
});
