import { describe, expect, it } from '@jest/globals';
import { reservedSlugs } from './reserved-slugs.js';

describe('reservedSlugs', () => {
  it.each([
    'sitemap.xml',
    'sitemap_index.xml',
    'sitemap-2.xml',
    'feeds',
    'robots.txt',
    'ads.txt',
    'security.txt',
    'favicon.ico',
    'favicon-32x32.png',
    'apple-touch-icon-precomposed.png',
    'index.html',
    '.well-known',
    'manifest.webmanifest',
    'sw.js',
  ])('should hold %s while articles stand at the root', (slug) => {
    expect(
      ['/{slug}', '/{slug}/', '/{slug}?lang=en'].map((path) => reservedSlugs(path)(slug)),
    ).toEqual([true, true, true]);
    expect(['/articles/{slug}', '/{id}/{slug}'].map((path) => reservedSlugs(path)(slug))).toEqual([
      false,
      false,
    ]);
  });

  it.each(['robots', 'feed', 'my-sitemap.xml', 'index', 'notes-on-robots.txt', 'blog'])(
    'should not hold %s',
    (slug) => {
      expect(reservedSlugs('/{slug}')(slug)).toBe(false);
    },
  );

  it('should hold a slug that is a reserved name with the ending of the path', () => {
    expect(reservedSlugs('/{slug}.html')('index')).toBe(true);
    expect(reservedSlugs('/{slug}.html')('index.html')).toBe(false);
  });
});
