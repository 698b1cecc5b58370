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
    ['::1', { host: '[::1]' }],
    ['127.0.0.1', { host: 'LOCALHOST:3000' }],
    ['127.0.0.1', { host: 'localhost' }],
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

  it.each([
    'evil.com@localhost',
    'localhost@evil.com',
    'localhost:3000@evil.com',
    'evil.com@127.0.0.1:3000',
    'localhost.:3000',
    'localhost.',
    'localhost/x',
    'localhost#x',
    'localhost?x',
    'localhost\\x',
    'localhost:',
    'localhost:x',
    'localhost:3000:80',
    ' localhost',
    'localhost ',
    'local\thost',
    'lo%63alhost',
    'ｌocalhost',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0.0.0.0',
    '::1',
    '[::1',
    '[::1]x',
    '[::1].evil.com',
    '[::2]',
    '[::ffff:10.0.0.1]',
    '[::1%25lo]',
    'localhost, evil.com',
    '127.0.0.1.',
    '999.0.0.1',
    'foo.localhost',
  ])('should be false with the host %j', (host) => {
    expect(isLocal('127.0.0.1', { host })).toBe(false);
  });
});
