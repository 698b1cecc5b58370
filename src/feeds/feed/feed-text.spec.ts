import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from '../../blog/core/html/clean-html.js';
import type { Site } from '../site.service.js';
import { withAbsoluteUrls } from './feed-text.js';

const SITE = { origin: 'https://blog.example' } as Site;
const ARTICLE_URL = 'https://blog.example/read?id=1&x=$1';
const ESCAPED_URL = 'https://blog.example/read?id=1&amp;x=$1';

describe('withAbsoluteUrls', () => {
  it('should point fragment links to the article, and change no other attribute', () => {
    const html = cleanHtml('<h2 id="b">b</h2><a title="/&quot; href=" href="#b">a</a>');
    expect(withAbsoluteUrls(html, SITE, ARTICLE_URL)).toBe(
      `<h2 id="h-b">b</h2><a href="${ESCAPED_URL}#h-b" title="/&quot; href=">a</a>`,
    );
  });

  it('should make the paths of pictures in several sizes absolute', () => {
    const html = cleanHtml(
      '<picture><source srcset="/a,b 1x, https://a.example/c, /d 2x"><img src="/e" srcset="/f 2x"></picture>',
    );
    expect(withAbsoluteUrls(html, SITE, ARTICLE_URL)).toBe(
      '<picture><source srcset="https://blog.example/a,b 1x, https://a.example/c, https://blog.example/d 2x" />' +
        '<img src="https://blog.example/e" srcset="https://blog.example/f 2x" /></picture>',
    );
  });

  it.each([
    '<video src="https://a.example/b" controls="controls" poster="https://a.example/c"></video>',
    '<img src="https://a.example/b" srcset="https://a.example/c, https://a.example/d 2x" />',
    '<a href="https://a.example/#b">a</a>',
    '<a href="mailto:a@b.example">a</a>',
    '<p title="x">&lt;a href="/x"&gt;</p>',
    '<code>href="/x" src="#y"</code>',
    '<abbr title="&lt;a href=&quot;/x">a</abbr>',
  ])('should not change %s', (html) => {
    const cleaned = cleanHtml(html);
    expect(withAbsoluteUrls(cleaned, SITE, ARTICLE_URL)).toBe(cleaned);
  });
});
