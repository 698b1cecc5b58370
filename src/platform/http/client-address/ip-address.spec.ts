import { describe, expect, it } from '@jest/globals';
import { addressRanges, readAddress } from './ip-address.js';

describe('readAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:1234', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:DB8:0:0::1]:65535', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ])('should read %s as %s', (text, address) => {
    expect(readAddress(text)?.toString()).toBe(address);
  });

  it.each([
    undefined,
    '',
    'unknown',
    '203.0.113',
    '203.0.113.7:',
    '203.0.113.7:1:2',
    '[2001:db8::1',
    '[2001:db8::1]443',
    '1:2:3:4:5:6:7:8:443',
    'x'.repeat(10_000),
    `[${'1'.repeat(10_000)}`,
    '203.0.113.7, 203.0.113.8',
    '203.0.113.07',
  ])('should not read %j', (text) => {
    expect(readAddress(text)).toBeNull();
  });
});

describe('addressRanges', () => {
  const isWithin = addressRanges(['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '::ffff:198.51.100.1']);

  it.each([
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '[::ffff:a01:203]:80',
    '192.0.2.1',
    'fd12::1',
    '[FD12::1]:443',
    'fd12::1%eth0',
    '198.51.100.1',
  ])('should contain %s', (address) => {
    expect(isWithin(address)).toBe(true);
  });

  it.each(['11.0.0.1', '[2001:db8::1]:443', undefined, 'unknown'])(
    'should not contain %j',
    (address) => {
      expect(isWithin(address)).toBe(false);
    },
  );

  it('should contain no address when the list is empty', () => {
    expect(addressRanges([])('127.0.0.1')).toBe(false);
  });
});
