import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { parseInput } from '../input/parse-input.js';
import { HttpUrl, isHttpUrl } from './http-url.js';

class Sample {
  @HttpUrl({ example: 'https://example.org/a.png' })
  readonly url?: string | null;
}

function parse(url: unknown): unknown {
  const sample = parseInput({ url }, { type: 'body', metatype: Sample });
  return (sample as Sample).url;
}

describe('isHttpUrl', () => {
  it.each([
    'http://example.org',
    'https://example.org/a.png?b=c&d=%20#e',
    'HTTPS://EXAMPLE.ORG/',
    'http://localhost:3000/a.png',
    'http://[::1]/a.png',
    `https://example.org/${'a'.repeat(480)}`,
  ])('should accept %s', (url) => {
    expect(isHttpUrl(url)).toBe(true);
  });

  it.each([
    '',
    'example.org',
    'https:///a.png',
    'javascript:alert(1)',
    'http:example.org',
    'https://exa mple.org',
    ' https://example.org',
    'https://example.org/<script>',
    `https://example.org/${'a'.repeat(481)}`,
    { href: 'https://example.org' },
  ])('should refuse %j', (url) => {
    expect(isHttpUrl(url)).toBe(false);
  });
});

describe('@HttpUrl', () => {
  it('should trim, and accept null and a missing field', () => {
    expect(parse(' https://example.org/a.png ')).toBe('https://example.org/a.png');
    expect(parse(null)).toBeNull();
    expect(parse(undefined)).toBeUndefined();
  });
});
