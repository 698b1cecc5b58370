import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { cleanHtml } from '../../core/html/clean-html.js';
import { visibleBlocks } from './visible-blocks.js';

describe('visibleBlocks', () => {
  it.each([
    ['', []],
    ['plain &lt;b&gt; &amp;amp; é 日本 😀', ['plain <b> &amp; é 日本 😀']],
    ['<h1>a</h1><h6>b</h6><p>c</p>d', ['a', 'b', 'c', 'd']],
    ['<ul><li>a<ul><li>b</li></ul>c</li></ul>', ['a', 'b', 'c']],
    ['<dl><dt>t</dt><dd>d</dd></dl>', ['t', 'd']],
    ['<blockquote>q<p>p</p></blockquote>', ['q', 'p']],
    ['<details><summary>s</summary>d</details>', ['s', 'd']],
    [
      '<table><caption>c</caption><tr><th>h</th><td>d</td></tr><tr><td>e</td></tr></table>',
      ['c', 'h', 'd', 'e'],
    ],
    ['<p>a<strong>b</strong><em> c</em>\n\t<code>d</code></p>', ['ab c d']],
    ['<p> a <b> </b> <i> b</i> </p><p> </p><p>&nbsp;</p>', ['a b']],
    ['<p>a <br> b<br><br>c<br></p>', ['a\nb\n\nc']],
    ['<p>a&nbsp;&nbsp;b</p>', ['a\u00a0\u00a0b']],
    ['<pre> a\n\n  <b>b</b>\t</pre><p>c\n d</p><pre> \n</pre>', [' a\n\n  b\t', 'c d']],
    ['<p>see <a href="/a">this</a>.</p>', ['see this [link: /a].']],
    ['<p><a title="t">a</a></p>', ['a']],
    ['<a href="/a">a<p>b</p></a>', ['a', 'b', '[link: /a]']],
    [
      '<a href="https://x.example/a b"><img src="/c d.png" alt=""></a>',
      ['[image: /c%20d.png] [link: https://x.example/a%20b]'],
    ],
    [
      '<figure><img src="/a.png" alt=" An\n engine "><figcaption>c</figcaption></figure>',
      ['[image: An engine, /a.png]', 'c'],
    ],
    ['<p>a<img src="/a">b</p>', ['a [image: /a]b']],
    [
      '<p>a</p><iframe src="https://x.example/b" title="c"></iframe>',
      ['a', '[embed: https://x.example/b]'],
    ],
  ])('should turn %j into %j', (html, blocks) => {
    expect(visibleBlocks(cleanHtml(html, ['x.example']))).toEqual(blocks);
  });

  it.each([
    [
      'a<video src="https://x.example/a" poster="https://x.example/b"><track src="https://x.example/c" label="[d]">e</video>f',
      [
        'a',
        '[track: \\[d\\], https://x.example/c]e [video: https://x.example/a, https://x.example/b]',
        'f',
      ],
    ],
    [
      '<audio><source src="https://x.example/a" type="audio/mpeg"></audio>',
      ['[source: https://x.example/a, audio/mpeg]'],
    ],
    [
      '<picture><source srcset="/a 1x, /b 2x" media="(width: 1px)"><img src="/c" alt="d" srcset="/e 2x"></picture>',
      ['[source: /a 1x, /b 2x, (width: 1px)] [image: d, /c, /e 2x]'],
    ],
    [
      '<ul><li><input type="checkbox" checked>a<li><input type="checkbox">b</ul>',
      ['[checkbox: checked]a', '[checkbox: unchecked]b'],
    ],
    ['<p>[video: a] [checkbox: b] [embed: c]</p>', ['\\[video: a] \\[checkbox: b] \\[embed: c]']],
    ['<ruby>漢<rt>かん</rt></ruby><bdo dir="rtl">a</bdo>', ['漢かんa']],
  ])('should name the files and boxes of %j', (html, blocks) => {
    expect(visibleBlocks(cleanHtml(html))).toEqual(blocks);
  });

  it('should escape texts of the author that look like tokens', () => {
    const link = visibleBlocks('<p>a<a href="/b"></a></p>');
    expect(visibleBlocks('<p>a [link: /b]</p>')).toEqual(['a \\[link: /b]']);
    expect(visibleBlocks('<p>a [<i>link: </i>/b]</p>')).toEqual(['a \\[link: /b]']);
    expect(visibleBlocks('<p>a\\<a href="/b"></a></p>')).not.toEqual(
      visibleBlocks('<p>a\\ [link: /b]</p>'),
    );
    expect(link).toEqual(['a [link: /b]']);
    expect(visibleBlocks('<img src="/a" alt="b, /c] [d" />')).toEqual([
      '[image: b, /c\\] \\[d, /a]',
    ]);
  });

  it.each([
    ['<a href="/a">x</a>', '<a href="/b">x</a>'],
    ['<a href="/a">x</a>', 'x'],
    ['<a href="/a">x</a>', 'x [link: /a]'],
    ['<img src="/a" alt="x">', '<img src="/b" alt="x">'],
    ['<img src="/a" alt="x">', '<img src="/a" alt="y">'],
    ['<img src="/a" alt="x">', '<img src="/a">'],
  ])('should show the difference between %s and %s', (one, other) => {
    expect(visibleBlocks(cleanHtml(one))).not.toEqual(visibleBlocks(cleanHtml(other)));
  });

  it.each([
    ['many blanks', '<b> </b>'],
    ['many line breaks', 'x<br /><br />'],
    ['many blanks in pre', '<pre> \n\n </pre>'],
    ['false tokens', '[link: '],
    ['backslashes', '\\[image: '],
    ['blocks', '<p></p>'],
  ])('should take time in proportion to the length: %s', (_, unit) => {
    const textOf = (length: number) => cleanHtml(unit.repeat(length / unit.length));
    const [short, long] = [textOf(12_500), textOf(100_000)];
    visibleBlocks(short);
    // The long text is eight times as long. Quadratic work would take 64 times as long.
    expect(cpuTime(() => visibleBlocks(long))).toBeLessThan(
      3 * 8 * cpuTime(() => visibleBlocks(short)),
    );
  });
});
