import { describe, expect, it } from '@jest/globals';
import { mongodArguments } from './mongod-process.js';

const GIGABYTE = 1024 ** 3;
const paths = { dbPath: '/data/db', socket: '/data/sock/m.sock' };

/** The value of an option. */
function valueOf(option: string, memoryBytes = 8 * GIGABYTE): string | undefined {
  const args = mongodArguments(paths, memoryBytes);
  return args[args.indexOf(option) + 1];
}

describe('mongodArguments', () => {
  it.each([
    [0.5, '0.25'],
    [4, '0.50'],
    [64, '1.00'],
  ])('should size the cache by the memory: %d GB, cache %s GB', (gigabytes, cache) => {
    expect(valueOf('--wiredTigerCacheSizeGB', gigabytes * GIGABYTE)).toBe(cache);
  });

  it('should not offer zlib', () => {
    expect(valueOf('--networkMessageCompressors')).toBe('snappy,zstd');
  });
});
