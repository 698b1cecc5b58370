import { describe, expect, it } from '@jest/globals';
import { isFromThisMachine } from './local-request.js';

const HOST = 'localhost:3000';

function isLocal(remoteAddress: string | undefined, headers: Record<string, string>): boolean {
  return isFromThisMachine({ socket: { remoteAddress }, headers });
}

describe('isFromThisMachine', () => {
  it.each([
    ['127.0.0.1', { host: HOST }],
    ['127.8.0.1', { host: '127.8.0.1' }],
    ['::1', { host: '[::1]:3000' }],
    ['::ffff:127.0.0.1', { host: HOST }],
    ['127.0.0.1', { host: HOST, 'sec-fetch-site': 'same-origin' }],
  ])('should be true from %s with %j', (address, headers) => {
    expect(isLocal(address, headers)).toBe(true);
  });

  it.each<[string | undefined, Record<string, string>]>([
    [undefined, { host: HOST }],
    ['192.168.1.7', { host: HOST }],
    ['::ffff:10.0.0.1', { host: HOST }],
    // The next three are names that a foreign DNS server may resolve to 127.0.0.1.
    ['127.0.0.1', { host: 'rebound.example:3000' }],
    ['127.0.0.1', { host: 'localhost.rebound.example' }],
    ['127.0.0.1', { host: '127.0.0.1.rebound.example' }],
    ['127.0.0.1', { host: '192.168.1.7:3000' }],
    ['127.0.0.1', { host: '' }],
    ['127.0.0.1', {}],
    ['127.0.0.1', { host: HOST, 'x-forwarded-for': '127.0.0.1' }],
    ['127.0.0.1', { host: HOST, forwarded: 'for=127.0.0.1' }],
    ['127.0.0.1', { host: HOST, via: '1.1 tunnel' }],
    ['127.0.0.1', { host: HOST, origin: 'https://other.example' }],
    ['127.0.0.1', { host: HOST, origin: 'null' }],
    // A page on another port of this machine sends this header.
    ['127.0.0.1', { host: HOST, 'sec-fetch-site': 'same-site' }],
  ])('should be false from %s with %j', (address, headers) => {
    expect(isLocal(address, headers)).toBe(false);
  });
});
