import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from '../../../blog/core/html/clean-html.js';
import { renderMarkdown } from '../../../blog/core/markdown/markdown-html.js';
import { htmlToMarkdown } from './html-to-markdown.js';

const readBack = (markdown: string): string =>
  renderMarkdown(markdown, { form: 'markdown', takesTitle: false }).html;

describe('htmlToMarkdown', () => {
  it.each([
    ['headings', '<h2 id="h-a">A &amp; b</h2>', '## A & b'],
    ['emphasis', '<p><strong>a</strong> <em>b</em> <del>c</del></p>', '**a** *b* ~~c~~'],
    [
      'text that looks like Markdown',
      '<p>a*b*c _d_ ~~e~~ [f]</p>',
      'a\\*b\\*c \\_d\\_ \\~\\~e\\~\\~ \\[f\\]',
    ],
    ['text that looks like HTML', '<p>&lt;b&gt; &amp;lt; &amp; a</p>', '&lt;b> &amp;lt; & a'],
    ['lines that look like blocks', '<p>1. a<br># b</p>', '1\\. a  \n\\# b'],
    ['code', '<pre><code class="language-js">a &lt; b\n\nc</code></pre>', '```js\na < b\n\nc\n```'],
    ['code that begins with empty lines', '<pre><code>\n\na</code></pre>', '```\n\n\na\n```'],
    [
      'boxes of tasks',
      '<ul><li><input type="checkbox" checked="checked" disabled="disabled" /> a</li><li><input type="checkbox" disabled="disabled" /> b</li></ul>',
      '-   [x]  a\n-   [ ]  b',
    ],
    [
      'boxes of tasks with several paragraphs',
      '<ul><li><p><input type="checkbox" disabled="disabled" /> a</p><p>b</p></li></ul>',
      '-   [ ]  a\n    \n    b',
    ],
    [
      'boxes within a text',
      '<p>a <input type="checkbox" disabled="disabled"></p>',
      'a <input type="checkbox" disabled="disabled">',
    ],
    ['numbered lists', '<ol start="3"><li>a</li></ol>', '3.  a'],
    ['lists', '<ul><li>a<ul><li>b</li></ul></li></ul>', '-   a\n    -   b'],
    [
      'tables',
      '<table><thead><tr><th>a|b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>',
      '| a\\|b |\n| --- |\n| c   |',
    ],
    ['pictures', '<p><img src="/a.png" alt="b" title="c"></p>', '![b](/a.png "c")'],
    ['links', '<p><a href="https://a.example/">b</a></p>', '[b](https://a.example/)'],
  ])('should convert %s', (_, html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it.each([
    ['figures', '<figure><img src="/a.png" alt=""><figcaption>b</figcaption></figure>'],
    ['definitions', '<dl><dt>a</dt><dd>b</dd></dl>'],
    ['embeds', '<iframe src="https://video.example/1"></iframe>'],
    ['footnotes', '<ol><li id="h-fn:1">a <a href="#h-fnref:1">^</a></li></ol>'],
    ['captions', '<table><caption>a</caption><tbody><tr><td>b</td></tr></tbody></table>'],
    ['videos', '<video src="https://a.example/b" controls="controls">c</video>'],
    [
      'pictures in several sizes',
      '<picture><source srcset="/a 2x"><img src="/b" srcset="/c 2x" alt=""></picture>',
    ],
    ['ruby', '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby> <bdo dir="rtl">a</bdo>'],
    ['languages', '<p lang="fr" dir="ltr">a</p>'],
    ['languages of words', '<em lang="fr">a</em> <span dir="rtl">b</span>'],
    ['numbers of items', '<ol><li value="3">a</li></ol>'],
    ['relations of links', '<a href="/a" rel="nofollow">b</a>'],
    [
      'columns',
      '<table><colgroup><col span="2"></colgroup><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    ['link targets', '<p id="h-a">b</p>'],
    ['marks in code blocks', '<pre><code class="language-js">a <mark>b</mark></code></pre>'],
    ['links in code blocks', '<pre><code><a href="/b">c</a></code>d</pre>'],
    ['sized pictures', '<img src="/a.png" alt="b" width="10">'],
    ['further inline elements', '<sup id="h-fnref:1">1</sup> H<sub>2</sub>O <kbd>a</kbd>'],
  ])('should keep %s as HTML', (_, html) => {
    expect(htmlToMarkdown(html)).toBe(html);
  });

  it.each([
    '<pre><code class="language-js">a <mark>b</mark>\n\n\n  <a href="/c">d*e*</a>\n</code></pre>',
    '<pre><code>a</code> <b>b</b></pre>',
    '<ul>\n<li><p>a</p>\n<pre><code><em>b</em>\n\n  c</code></pre></li>\n</ul>',
    '<blockquote>\n<pre><code><del>b</del>\n\nc</code></pre></blockquote>',
    '<p><code>a <a href="/b">c*d*</a></code> <code><em>e</em>_f_</code></p>',
    '<p><strong><em>a</em></strong> <em><strong>b</strong></em></p>',
    '<pre><code>```\na &lt; b\n```\n</code></pre>',
  ])('should write what the import reads as the same text: %j', (html) => {
    const text = cleanHtml(html);
    expect(cleanHtml(readBack(htmlToMarkdown(text))).trim()).toBe(text.trim());
  });

  it('should leave no empty line in a block of HTML, because it would end the block', () => {
    expect(htmlToMarkdown('<pre>a\n\n\nb</pre>')).toBe('<pre>a&#10;&#10;\nb</pre>');
    expect(htmlToMarkdown('<pre>\n\na</pre>')).toBe('<pre>&#10;\na</pre>');
  });
});
