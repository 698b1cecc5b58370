import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '2a00:1450::1'])(
    'should be true for %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.2.1',
    '192.0.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    'fe80::1',
    'fd12:3456::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '100::1',
    'fe80::1%eth0',
    'fec0::1',
    'localhost',
    '',
  ])('should be false for %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
