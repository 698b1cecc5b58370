import { describe, expect, it } from '@jest/globals';
import { HOST_SETTINGS } from '../../../../test/support/html/embed-oracle.js';
import * as cleaner from './clean-html.js';

describe('the version of the policy', () => {
  const { HTML_VERSION, htmlVersionOf } = cleaner;

  it('should be HTML_VERSION, which is 4, without embeds', () => {
    expect([HTML_VERSION, htmlVersionOf([])]).toEqual([4, 4]);
  });

  it('should depend on the hosts, but not on their order or on duplicates', () => {
    const [one, two, both] = [['a.example'], ['b.example'], ['a.example', 'b.example']];
    const versions = [[], one, two, both].map((hosts) => htmlVersionOf(hosts));
    expect(new Set(versions).size).toBe(4);
    expect(versions.every((version) => Number.isSafeInteger(version))).toBe(true);
    expect(htmlVersionOf(['b.example', 'a.example', 'a.example'])).toBe(htmlVersionOf(both));
  });
});

describe.each(HOST_SETTINGS)('cleanHtml $setting', ({ hosts }) => {
  const cleanHtml = (html: string) => cleaner.cleanHtml(html, hosts);

  it.each([
    '<h1 id="h-a">a</h1><h6 id="h-b">b</h6><p>c<br />d</p><hr /><blockquote><p>q</p></blockquote>',
    '<ul><li>a</li></ul><ol><li>b</li></ol><dl><dt>t</dt><dd>d</dd></dl>',
    '<pre class="language-js"><code class="language-c++">a &lt; b &amp;&amp; c\n\n  d</code></pre>',
    '<a href="https://x.example/?a=1&amp;b=2" title="t">a</a><a href="mailto:a@b.example">m</a>',
    '<a href="/about">r</a><a href="#top">f</a><a href="HTTP://X.EXAMPLE">u</a>',
    '<figure><img src="/a.png" alt="" width="10" height="20" /><figcaption>c</figcaption></figure>',
    '<table><caption>c</caption><thead><tr><th colspan="2" scope="col">h</th></tr></thead>' +
      '<tbody><tr><td rowspan="2">d</td></tr></tbody><tfoot><tr><td>f</td></tr></tfoot></table>',
    '<details><summary>s</summary>d</details>',
    '<ol start="-3" reversed="reversed" type="a"><li value="7">a</li></ol>',
    '<p dir="rtl" lang="ar">a <span lang="de-CH">b</span> <bdi>c</bdi> <bdo dir="ltr">d</bdo></p>',
    '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>',
    '<video src="https://x.example/a.mp4" controls="controls" poster="https://x.example/a.png" ' +
      'width="10" height="20"><track src="https://x.example/a.vtt" kind="captions" srclang="en" ' +
      'label="English" default="default" />a</video>',
    '<audio controls="controls"><source src="https://x.example/a.mp3" type="audio/mpeg" /></audio>',
    '<picture><source srcset="/a.webp 1x, https://x.example/a,b.webp 2.5x" media="(min-width: 600px)" ' +
      'type="image/webp" /><img src="/a.png" srcset="/a.png 300w, /b.png 600w" ' +
      'sizes="(max-width: 600px) 100vw, calc(50vw - 2em)" alt="a" /></picture>',
    '<a href="https://x.example" rel="sponsored nofollow ugc">a</a><a href="tel:+49(30)12-34;ext=5">b</a>',
    '<ul><li><input type="checkbox" checked="checked" disabled="disabled" /> a</li></ul>',
    '<table><colgroup span="2"></colgroup><colgroup><col /><col span="2" /></colgroup><tbody>' +
      '<tr><th id="h-a" scope="col" abbr="a">b</th></tr><tr><td headers="h-a">c</td></tr></tbody></table>',
    '<p><strong>a</strong><em>b</em><abbr title="t">c</abbr><kbd>d</kbd><mark>e</mark></p>',
    'plain &lt;text&gt; &amp;amp; é 日本 😀',
  ])('should leave %s as it is', (html) => {
    expect(cleanHtml(html)).toBe(html);
  });

  it.each([
    ['<script>alert(1)</script>a<style>b{}</style>', 'a'],
    ['<p onclick="x" style="a" id="b" data-c="d" class="e">a</p>', '<p>a</p>'],
    ['a<iframe src="https://x">b</iframe><noscript>c</noscript><template>d</template>e', 'ae'],
    ['<select><option>a</option></select><textarea>b</textarea><button>c</button>d', 'd'],
    ['<svg><title>a</title><a href="/b">c</a></svg><math><mi>d</mi></math>e', 'e'],
    ['<title>t</title><object>o</object><video>v</video><xmp>x</xmp>a', 'a'],
    ['<video src="http://x/a">v</video><audio src="/a">w</audio><track src="//x">b', 'b'],
    [
      '<video autoplay loop muted src="https://x/a" onplay="x" />',
      '<video src="https://x/a" controls="controls"></video>',
    ],
    [
      '<video src="https://x/a" poster="/b"></video>',
      '<video src="https://x/a" controls="controls"></video>',
    ],
    [
      '<ol start="1e3" reversed type="disc"><li value="x">a</ol>',
      '<ol reversed="reversed"><li>a</li></ol>',
    ],
    ['<p dir="x" lang="a b">a</p><b lang="en">c</b>', '<p>a</p><b lang="en">c</b>'],
    ['<html lang="en" dir="rtl"><body lang="en">a</body></html>', 'a'],
    [
      '<div lang="fr">a</div><span dir=rtl id="b">c</span>',
      '\n<span lang="fr">a\n</span><span dir="rtl">c</span>',
    ],
    [
      '<img src="/a" srcset="b 1x, /c 2x, javascript:d 3x,/e 0x, //f, /g 4px">',
      '<img src="/a" srcset="/c 2x" />',
    ],
    ['<img srcset="/a 1x">b<picture><source srcset="c"></picture>', 'b<picture></picture>'],
    [
      '<img src="/a" sizes="&lt;x&gt;" srcset="data:x"><source type="text/html" src="https://x">',
      '<img src="/a" /><source src="https://x" />',
    ],
    [
      '<input><input type="text" value="a"><input type="CHECKBOX" name="b" form="c">d',
      '<input type="checkbox" disabled="disabled" />d',
    ],
    ['<a href="/a" rel="NoFollow noopener me nofollow">b</a>', '<a href="/a" rel="nofollow">b</a>'],
    [
      '<table><tr><th id="a">b<td id="c" headers="a  a c no">d</table><p id="e" headers="a">f',
      '<table><tr><th id="h-a">b</th><td id="h-c" headers="h-a h-c">d</td></tr></table><p>f</p>',
    ],
    [
      '<table><tr><td headers="a">b</table><p id="a">c</p><a href="#a">d</a>',
      '<table><tr><td>b</td></tr></table><p id="h-a">c</p><a href="#h-a">d</a>',
    ],
    ['<col span="0"><colgroup span="1000">a', '<col /><colgroup>a</colgroup>'],
    ['<span>a</span><font>b</font><x-y>c</x-y><!-- d -->', 'abc'],
    ['a<div>b</div><section>c</section>d', 'a\nb\n\nc\nd'],
    ['<code class="hljs language-js x">a</code>', '<code class="language-js">a</code>'],
    ['<code class="hljs">a</code><p class="language-js">b</p>', '<code>a</code><p>b</p>'],
    ['<img src="/a" width="10px" height="5">', '<img src="/a" height="5" />'],
    ['a<img src="data:image/png,x" alt="b">c<img src="mailto:x">d', 'acd'],
    ['<td colspan="0" rowspan="2">a</td>', '<td rowspan="2">a</td>'],
    ['a\0b\ud800c\u0001d&#0;e&#1;f\r\ng\rh', 'ab\ufffdcd\ufffdef\ng\nh'],
    ['a\u009b1mb\u0092c\u0085d', 'a1mbc\nd'],
    ['<a\fhref="/a">b</a>', '<a href="/a">b</a>'],
    ['<p><x-y><p>a', '<p></p><p>a</p><p></p>'],
    ['&lt;script&gt;', '&lt;script&gt;'],
    ['', ''],
  ])('should turn %j into %j', (html, cleaned) => {
    expect(cleanHtml(html)).toBe(cleaned);
  });

  it.each([
    'javascript:alert(1)',
    'java\tscript:x',
    'data:text/html,x',
    'ftp://x',
    '//x.example',
    '/\\x.example',
    '/&Tab;/x',
    'http:x',
    'https:\\\\x',
    'a.html',
    '?a',
    'mailto:',
    '',
    'relative:a',
    'http://x/a\tb',
    'x:/#http://y',
    'tel:',
    'tel:javascript:x',
    'tel:1&#10;2',
  ])('should drop the link target %j', (href) => {
    expect(cleanHtml(`<a href="${href}">a</a>`)).toBe('<a>a</a>');
  });

  it('should trim a link target and keep blanks within', () => {
    expect(cleanHtml('<a href=" /a b\n">c</a>')).toBe('<a href="/a b">c</a>');
  });

  it.each([
    [
      'a link in a link',
      '<a href="/a">b<table><tr><a href="/c">d</a></tr></table></a>',
      '<a href="/a">b</a><a href="/c">d</a><table><tbody><tr></tr></tbody></table>',
    ],
    [
      'a link in a link, in a pre that begins with a line break',
      '<pre>\n\n<a href="/a">b<table><tr><a href="/c">d</a></tr></table></pre>',
      '<pre>\n\n<a href="/a">b</a><a href="/c">d</a><table><tbody><tr></tr></tbody></table></pre>',
    ],
    [
      'a heading within a heading, after content was moved out of a table',
      '<h1>a<table><h2>b</h2></table></h1>',
      '<h1 id="h-a-b">a</h1><h2 id="h-b">b</h2><table></table>',
    ],
  ])('should rewrite markup that is not stable: %s', (_, html, cleaned) => {
    expect(cleanHtml(html)).toBe(cleaned);
    expect(cleanHtml(cleaned)).toBe(cleaned);
  });

  it('should not change markup that browsers repair into the same tree each time', () => {
    const html = '<p><b>a<ul><li>b</li></ul>c</b></p>';
    expect(cleanHtml(html)).toBe(html);
  });
});
