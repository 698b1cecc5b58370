import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from '../html/clean-html.js';
import { visibleText } from './visible-text.js';

describe('visibleText', () => {
  it.each([
    ['join inline elements', '<p>an<em>aly</em><a href="/x">tical</a></p>', 'analytical'],
    [
      'separate blocks',
      '<h2>One</h2><p>two</p><ul><li>three</li><li>four</li></ul>',
      'One two three four',
    ],
    ['separate cells', '<table><tr><td>a</td><td>b</td></tr></table>', 'a b'],
    ['separate lines', 'a<br>b<hr>c', 'a b c'],
    ['show nothing of an image', 'a<img src="/b.png" alt="b">c', 'ac'],
    ['compare whole element names', '<blockquote>a</blockquote><b>b</b><br>c', 'a b c'],
    ['resolve references once', '<p>&lt;b&gt; &amp;lt; &quot;q&quot;</p>', '<b> &lt; "q"'],
    ['ignore the values of attributes', '<a href="/?a>b" title="x > y">c</a>', 'c'],
    ['show nothing of a video', 'a<video src="https://x.example/">b</video>c', 'a c'],
    [
      'keep the characters of a word with ruby together',
      'a<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>b',
      'a漢字 かんじ b',
    ],
    ['join words in another direction', '<ul><li><input type="checkbox">a<bdi>b</bdi></ul>', 'ab'],
    ['collapse whitespace', '<pre>a\n\n\tb</pre>\n <p>c\u00a0 d</p>', 'a b c d'],
    ['be empty without text', '<p> </p>', ''],
  ])('should %s', (_what, html, text) => {
    expect(visibleText(cleanHtml(html))).toBe(text);
  });
});
