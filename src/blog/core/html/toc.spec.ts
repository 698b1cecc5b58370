import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from './clean-html.js';
import { tocOf } from './toc.js';

const linesOf = (html: string) =>
  tocOf(cleanHtml(html)).map(({ id, level, text }) => `${level} ${id} ${text}`);

describe('tocOf', () => {
  it.each([
    ['<p>a</p>', []],
    ['', []],
    ['<h1>A</h1><p>b</p><h6>C</h6><h2>D</h2>', ['1 h-a A', '6 h-c C', '2 h-d D']],
    [
      '<h2 id="x"> A\n <em>b</em>c<br>d &lt;e&gt; &amp;amp; "f" </h2>',
      ['2 h-x A bc d <e> &amp; "f"'],
    ],
    ['<h2>a <a href="/b" title="c">d</a><img src="/e" alt="f"></h2>', ['2 h-a-d a d']],
    ['<h2></h2><h3><img src="/a" alt="b"></h3>', ['2 h-section ', '3 h-section-2 ']],
    ['<h2 lang="fr" dir="ltr">a</h2><h3>b</h3>', ['2 h-a a', '3 h-b b']],
    ['<blockquote><h2>a</h2></blockquote>&lt;h2 id="b"&gt;c&lt;/h2&gt;', ['2 h-a a']],
    ['<h1>a<table><tr><td><h2>b</h2>c</td></tr></table>d</h1>', ['1 h-a-b-c-d a c d', '2 h-b b']],
    ['<script><h2>a</h2></script>', []],
    [`${'<b>'.repeat(513)}<h2>a</h2>`, []],
  ])('should list the headings of %s', (html, lines) => {
    expect(linesOf(html)).toEqual(lines);
  });

  it('should list a text once if 80 nested headings contain it', () => {
    const html = cleanHtml(`${'<h1>a<table><td>'.repeat(80)}${'b'.repeat(50_000)}`);
    const toc = tocOf(html);
    expect(toc).toHaveLength(80);
    expect(toc.map(({ text }) => text).join('').length).toBeLessThan(51_000);
  });
});
