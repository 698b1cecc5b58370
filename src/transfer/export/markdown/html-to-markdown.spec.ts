import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from '../../../blog/core/html/clean-html.js';
import { renderMarkdown } from '../../../blog/core/markdown/markdown-html.js';
import { htmlToMarkdown } from './html-to-markdown.js';

const readBack = (markdown: string): string =>
  renderMarkdown(markdown, { isMdx: false, takesTitle: false }).html;

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
  });
});
