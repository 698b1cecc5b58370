import { describe, expect, it } from '@jest/globals';
import { isPrivate } from './proxy-hint.js';

describe('isPrivate', () => {
  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '127.0.0.1',
    '100.64.0.1',
    '::1',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
  ])('should be true for %s', (address) => {
    expect(isPrivate(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', '2001:db8::1', '::ffff:8.8.8.8', '', 'x'])(
    'should be false for %j',
    (address) => {
      expect(isPrivate(address)).toBe(false);
    },
  );
});
