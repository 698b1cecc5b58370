import { describe, expect, it } from '@jest/globals';
import { cleanAndReport, cleanHtml } from '../clean-html.js';

const LONG = 'x'.repeat(64);

describe('the ids of a cleaned text', () => {
  it.each([
    [
      'text and markup',
      '<h2>The  <b>Engine</b> &amp; I</h2>',
      '<h2 id="h-the-engine-i">The  <b>Engine</b> &amp; I</h2>',
    ],
    ['letters of any script', '<h2>Über 日本 Ёж</h2>', '<h2 id="h-über-日本-ёж">Über 日本 Ёж</h2>'],
    ['no letters', '<h2>…</h2><h3></h3>', '<h2 id="h-section">…</h2><h3 id="h-section-2"></h3>'],
    [
      'emoji and words that punctuation keeps apart',
      '<h2>🗃️ AND/OR — don’t</h2><h3>❤️</h3>',
      '<h2 id="h-and-or-dont">🗃️ AND/OR — don’t</h2><h3 id="h-section">❤️</h3>',
    ],
    [
      'an id with characters that show nothing',
      '<h2 id="h-\ufe0f-a">A</h2><h2 id="\u0301b\u3164">B</h2><a href="#h-\ufe0f-a">C</a>',
      '<h2 id="h--a">A</h2><h2 id="h-b">B</h2><a href="#h--a">C</a>',
    ],
    ['a repeated text', '<h2>A</h2><h2>a</h2>', '<h2 id="h-a">A</h2><h2 id="h-a-2">a</h2>'],
    ['a long text', `<h1>${LONG}y</h1>`, `<h1 id="h-${LONG}">${LONG}y</h1>`],
    ['an id of the author', '<h2 id="Intro">A</h2>', '<h2 id="h-Intro">A</h2>'],
    ['an id of an earlier cleaning', '<h2 id="h-b">A</h2>', '<h2 id="h-b">A</h2>'],
    [
      'a text that is the id of a later heading',
      '<h2>A</h2><h2 id="a">B</h2>',
      '<h2 id="h-a">A</h2><h2 id="h-a-2">B</h2>',
    ],
    [
      'the id of an earlier heading',
      '<h2 id="a">B</h2><h2 id="a">C</h2>',
      '<h2 id="h-a">B</h2><h2 id="h-a-2">C</h2>',
    ],
    [
      'a text whose id a later heading has already',
      '<h2>a</h2><h2 id="h-a">b</h2>',
      '<h2 id="h-a-2">a</h2><h2 id="h-a">b</h2>',
    ],
  ])('should be made for a heading with %s', (_, html, cleaned) => {
    expect(cleanHtml(html)).toBe(cleaned);
    expect(cleanHtml(cleaned)).toBe(cleaned);
  });

  it.each([
    [
      'a footnote and the way back',
      '<p>a<sup id="fnref:1"><a href="#fn:1">1</a></sup></p><ol><li id="fn:1">b <a href="#fnref:1">^</a></li></ol>',
      '<p>a<sup id="h-fnref:1"><a href="#h-fn:1">1</a></sup></p><ol><li id="h-fn:1">b <a href="#h-fnref:1">^</a></li></ol>',
    ],
    [
      'id and name of an element',
      '<a id="b" name="c">a</a><a href="#c">d</a><a href="#b">e</a>',
      '<a id="h-b">a</a><a href="#h-b">d</a><a href="#h-b">e</a>',
    ],
    [
      'an id that is the name of another element',
      '<a name="b">a</a><p id="b">c</p><a href="#b">d</a>',
      '<a>a</a><p id="h-b">c</p><a href="#h-b">d</a>',
    ],
    [
      'an unwrapped block',
      '<p>a</p><div id="b"><p>c</p></div><a href="#b">d</a>',
      '<p>a</p>\n<span id="h-b"><p>c</p>\n</span><a href="#h-b">d</a>',
    ],
    [
      'a percent-encoded id',
      '<h2 id="é b">a</h2><a href="#%C3%A9%20b">c</a>',
      '<h2 id="h-é-b">a</h2><a href="#h-é-b">c</a>',
    ],
    [
      'an id with an escape',
      '<h2 id="%41">a</h2><a href="#%41">c</a>',
      '<h2 id="h--41">a</h2><a href="#h--41">c</a>',
    ],
    [
      'an id with markup',
      "<p id='\"<b>&amp;'>a</p><a href='#\"<b>&amp;'>c</a>",
      '<p id="h--b-">a</p><a href="#h--b-">c</a>',
    ],
    [
      'the first of two elements with the same id',
      '<p id="b">a</p><p id="b">c</p><a href="#b">d</a>',
      '<p id="h-b">a</p><p>c</p><a href="#h-b">d</a>',
    ],
    [
      'two ids that become equal',
      '<p id="b c">a</p><p id="b-c">d</p><a href="#b-c">e</a><a href="#b%20c">f</a>',
      '<p id="h-b-c">a</p><p id="h-b-c-2">d</p><a href="#h-b-c-2">e</a><a href="#h-b-c">f</a>',
    ],
    [
      'an element that browsers repeat',
      '<p><b id="c">a<ul><li>d</ul></b><a href="#c">e</a>',
      '<p><b id="h-c">a</b></p><ul><li><b>d</b></li></ul><a href="#h-c">e</a><p></p>',
    ],
  ])('should keep a link to %s working', (_, html, cleaned) => {
    expect(cleanHtml(html)).toBe(cleaned);
    expect(cleanHtml(cleaned)).toBe(cleaned);
  });

  it.each([
    ['<p id="a" class="b">c</p><div id="d">e</div>', '<p>c</p>\ne\n'],
    [
      '<a href="#">a</a><a href="#top">b</a><a href="#%">c</a>',
      '<a href="#">a</a><a href="#top">b</a><a href="#%">c</a>',
    ],
    [
      '<svg id="a"></svg><img id="b" src="data:"><a href="#a">c</a><a href="#b">d</a>',
      '<a href="#a">c</a><a href="#b">d</a>',
    ],
    ['<p id="a">b</p><a href="/c#a">d</a>', '<p>b</p><a href="/c#a">d</a>'],
  ])(
    'should be removed if no link leads to them; a link without a target should stay: %s',
    (html, cleaned) => {
      expect(cleanHtml(html)).toBe(cleaned);
    },
  );

  it('should be removed with the last link to them', () => {
    const linked = cleanHtml('<p>a<span id="b">c</span></p><a href="#b">d</a>');
    expect(cleanHtml(linked.replace('<a href="#h-b">d</a>', ''))).toBe('<p>ac</p>');
  });

  it('should differ for 10,000 equal headings', () => {
    const ids = cleanHtml('<h2>a</h2>'.repeat(10_000)).match(/ id="[^"]*"/g);
    expect(new Set(ids).size).toBe(10_000);
    expect(ids?.at(-1)).toBe(' id="h-a-10000"');
  });

  it.each([
    ['<h2>b</h2>', 10],
    ['<p id="a">b</p><a href="#a">c</a>', '<p>b</p><a href="#">c</a>'.length],
    ['<div id="a">b</div><a href="#a">c</a>', '\nb\n<a href="#">c</a>'.length],
    ['<p id="a">b</p><a href="#c">d</a>', '<p>b</p><a href="#c">d</a>'.length],
  ])('should not count as length: %s', (html, length) => {
    for (const text of [html, cleanHtml(html)]) {
      const cleaned = cleanAndReport(text);
      expect(cleaned.html.length - cleaned.idLength).toBe(length);
    }
  });
});
