import { describe, expect, it } from '@jest/globals';
import { withParagraphs } from './paragraphs.js';
import { wordpressHtml } from './wordpress-html.js';

const onOneLine = (html: string): string => html.replace(/\n/g, '');

describe('withParagraphs', () => {
  it.each([
    ['a\n\nb', '<p>a</p><p>b</p>'],
    ['a\r\nb', '<p>a<br />b</p>'],
    ['a<br>\nb', '<p>a<br>b</p>'],
    ['<strong>a</strong> b\n \n<em>c</em>', '<p><strong>a</strong> b</p><p><em>c</em></p>'],
    ['a\n<h2>b</h2>\nc', '<p>a</p><h2>b</h2><p>c</p>'],
    ['<pre>a\n\n<b>b</b></pre>\n\nc', '<pre>a<b>b</b></pre><p>c</p>'],
    ['<ul>\n<li>a</li>\n\n<li>b\n\nc</li></ul>', '<ul><li>a</li><li>bc</li></ul>'],
    ['<blockquote>a\n\nb</blockquote>', '<blockquote><p>a</p><p>b</p></blockquote>'],
    ['<p>a\n\nb</p>c', '<p>ab</p><p>c</p>'],
    ['<p>a<p>b', '<p>a<p>b'],
    ['<!--more-->\n\na', '<!--more--><p>a</p>'],
    ['1 < 2\n\nb', '<p>1 < 2</p><p>b</p>'],
    ['<div class="a > b">a</div>', '<div class="a > b"><p>a</p></div>'],
  ])('should convert %j', (text, html) => {
    expect(onOneLine(withParagraphs(text))).toBe(html);
  });
});

describe('wordpressHtml', () => {
  it('should leave the paragraphs of the block editor as they are', () => {
    const content =
      '<!-- wp:paragraph {"a":1} -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:more /-->';
    expect(wordpressHtml(content)).toEqual({ html: '<p>a</p>\n\n', notes: [] });
  });

  it.each([
    [
      '[caption id="a" width="5"]<a href="/b"><img src="/a.png" /></a> Text[/caption]',
      '<figure><a href="/b"><img src="/a.png" /></a><figcaption>Text</figcaption></figure>',
    ],
    [
      `[caption caption='Text']<img src="/a.png">[/caption]`,
      '<figure><img src="/a.png"><figcaption>Text</figcaption></figure>',
    ],
    [
      '[embed]https://a.example/b[/embed]',
      '<p><a href="https://a.example/b">https://a.example/b</a></p>',
    ],
    ['[code lang="php"]\na < b\n[/code]', '<pre><code>a &lt; b</code></pre>'],
  ])('should convert %s', (content, html) => {
    expect(wordpressHtml(content)).toEqual({ html, notes: [] });
  });

  it('should keep other shortcodes as they are written, with a note for each', () => {
    // `[sic]` and `[1]` may be plain text: they have neither attributes nor an end tag.
    const { html, notes } = wordpressHtml('[poll id="1,2"] [sic] [1] [contact-form to="a"]');
    expect(html).toContain('[poll id="1,2"]');
    expect(notes.map((note) => /"(.*)"/.exec(note)?.[1])).toEqual(['poll', 'contact-form']);
  });
});
