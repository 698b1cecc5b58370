import { describe, expect, it } from '@jest/globals';
import { decodeText } from './text-file.js';

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('Größe'), 'Größe'],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFGröße'), 'Größe'],
    ['UTF-16', Buffer.from('\uFEFFGröße', 'utf16le'), 'Größe'],
    ['UTF-16, big endian', Buffer.from('\uFEFFGröße', 'utf16le').swap16(), 'Größe'],
    ['nothing', Buffer.alloc(0), ''],
    ['Latin 1', Buffer.from('Größe', 'latin1'), { reason: expect.stringContaining('UTF-8') }],
    ['NUL bytes', Buffer.alloc(1_000), { reason: expect.stringContaining('NUL') }],
    ['UTF-16 without a mark', Buffer.from('abc', 'utf16le'), { reason: expect.any(String) }],
  ])('should read a file of %s, or say why not', (_, bytes, text) => {
    expect(decodeText(bytes)).toEqual(text);
  });
});
