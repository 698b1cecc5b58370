import { describe, expect, it } from '@jest/globals';
import { redirectMap } from './redirect-map.js';

describe('redirectMap', () => {
  it('should write a line for each address that nginx tells from the others', () => {
    const redirects = [
      { from: '/a/b', to: '/1' },
      { from: '/A/b', to: '/2' },
      { from: '/a/b/', to: '/1' },
      { from: '/a;b%20c', to: 'https://blog.example/3' },
    ];
    expect(redirectMap(redirects)).toBe(
      '/a/b /1;\n/a/b/ /1;\n"/a;b%20c" https://blog.example/3;\n',
    );
  });
});
