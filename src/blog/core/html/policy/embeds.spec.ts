import { describe, expect, it } from '@jest/globals';
import { cleanAndReport, cleanHtml } from '../clean-html.js';

const HOSTS = ['player.example', 'xn--mller-kva.example'];
const ADDED_ATTRIBUTES =
  'sandbox="allow-scripts allow-same-origin allow-presentation allow-popups" loading="lazy"';

const clean = (html: string) => cleanHtml(html, HOSTS);

describe('an iframe, if two hosts are allowed', () => {
  it.each([
    ['https://player.example/embed/a?b=1&c#d', 'https://player.example/embed/a?b=1&amp;c#d'],
    ['HTTPS://Player.Example', 'https://player.example/'],
    [' https://player.example:443/a\n', 'https://player.example/a'],
    ['https://müller.example/', 'https://xn--mller-kva.example/'],
    ['https://player.example/"><b>', 'https://player.example/%22%3E%3Cb%3E'],
    ['https://player.example\\@evil.com', 'https://player.example/@evil.com'],
  ])('should be kept with its URL as browsers write it: %j', (src, written) => {
    const cleaned = clean(`<iframe src='${src}'></iframe>`);
    expect(cleaned).toBe(`<iframe src="${written}" ${ADDED_ATTRIBUTES}></iframe>`);
    expect(clean(cleaned)).toBe(cleaned);
  });

  it.each([
    'http://player.example/',
    '//player.example/',
    '',
    'https:player.example',
    'https://player.example.evil.com/',
    'https://a.player.example/',
    'https://a@player.example/',
    'https://player.example:8443/',
    'javascript:alert(1)',
    'https://plаyer.example/',
  ])('should be removed if its URL is %j', (src) => {
    expect(clean(`a<iframe src="${src}">b</iframe>c`)).toBe('ac');
  });

  it('should keep a size in pixels, title and full screen, and no other attribute or content', () => {
    const html =
      '<iframe name="a" id="b" srcdoc="c" onload="d" allow="camera" sandbox="allow-top-navigation" ' +
      'width="560" height="50%" title="A &quot;film&quot;" referrerpolicy="unsafe-url" allowfullscreen ' +
      'src="https://player.example/"><b>e</b>&lt;</iframe>f<a href="#b">g</a>';
    expect(clean(html)).toBe(
      `<iframe src="https://player.example/" ${ADDED_ATTRIBUTES} width="560" title="A &quot;film&quot;" ` +
        'allowfullscreen="allowfullscreen"></iframe>f<a href="#b">g</a>',
    );
  });

  it('should cause a warning if it is removed, and otherwise only for its lost attributes', () => {
    const kept =
      '<iframe src="https://player.example/" width="5" height="50%" style="a:b"></iframe>';
    expect(
      cleanAndReport(`${kept}<iframe src="https://evil.com/"></iframe>`, HOSTS).warnings,
    ).toEqual(['1 iframe removed', 'height on 1 element removed', 'style on 1 element removed']);
  });

  it('should be removed from a cleaned text when its host is no longer allowed', () => {
    const embedded = clean('a<iframe src="https://player.example/"></iframe>');
    expect(embedded).toContain('<iframe');
    expect([cleanHtml(embedded), cleanHtml(embedded, ['other.example'])]).toEqual(['a', 'a']);
  });
});
