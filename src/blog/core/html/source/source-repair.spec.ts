import { describe, expect, it } from '@jest/globals';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { cleanAndReport } from '../clean-html.js';

const HOSTS = ['v.example'];
const FRAME = (src: string) =>
  `<iframe src="https://v.example/${src}" sandbox="allow-scripts allow-same-origin ` +
  'allow-presentation allow-popups" loading="lazy"></iframe>';
const VIDEO = '<video src="https://x.example/a" controls="controls"></video>';

const clean = (html: string) => cleanAndReport(html, HOSTS);

/** The cleaned text, then the warnings. Cleaning again must change nothing, and warn of nothing. */
function cleaned(html: string): string[] {
  const { html: text, warnings } = clean(html);
  expect(clean(text)).toMatchObject({ html: text, warnings: [] });
  return [text, ...warnings];
}

describe('an element that ends with />', () => {
  it.each([
    ['b<iframe src="https://v.example/a" />c', `b${FRAME('a')}c`],
    ['b<IFRAME SRC="https://v.example/a"/></IFRAME>c', `b${FRAME('a')}c`],
    ['b<iframe src="https://y.example/a" />c', 'bc', '1 iframe removed'],
    ['b<video src="https://x.example/a" />c', `b${VIDEO}c`],
    ['b<audio/>c', 'bc', '1 audio removed: only https URLs are allowed'],
    ['b<script src="/a.js" />c', 'bc', '1 script removed'],
    ['b<script/>c<script>x()</script>d', 'bcd', '2 script removed'],
    ['b<textarea/>c<object data="a" />d', 'bcd', '1 object removed', '1 textarea removed'],
    ['b<svg/><p>c</p><template/>d', 'b<p>c</p>d', '1 svg removed'],
    ['b<title/>c<noframes/>d<noembed/>e', 'bcde'],
    ['<ul><li>b<select/></li><li>c</li></ul>', '<ul><li>b</li><li>c</li></ul>', '1 select removed'],
    [
      '<table><tr><td>b<xmp/>c</td></tr></table>',
      '<table><tr><td>bc</td></tr></table>',
      '1 xmp removed',
    ],
    ['<pre>b<math/>\nc</pre>', '<pre>b\nc</pre>', '1 math removed'],
  ])('should not take what follows with it: %j', (html, ...expected) => {
    expect(cleaned(html)).toEqual(expected);
  });
});

describe('an element without an end tag', () => {
  it.each([
    ['b<video src="https://x.example/a"><p>c</p>', `b${VIDEO}<p>c</p>`],
    [
      'b<video>\n<source src="https://x.example/a"><track>c',
      'b<video controls="controls">\n<source src="https://x.example/a" /></video>c',
    ],
    ['b<video>c', 'bc', '1 video without an end tag removed, content kept'],
    ['<p>b<object>c</p>d', '<p>bc</p>d', '1 object without an end tag removed, content kept'],
    ['b<template>c<noscript>d', 'bcd', ...unended('noscript', 'template')],
    [
      '<ul><li>b<button>c</li><li>d</li></ul>',
      '<ul><li>bc</li><li>d</li></ul>',
      ...unended('button'),
    ],
    ['b<svg><style>x{}</style><p>c', 'b<p>c</p>', '1 style removed', ...unended('svg')],
    ['b<option>c<frameset>d', 'bcd', ...unended('frameset', 'option')],
  ])('should leave its content: %j', (html, ...expected) => {
    expect(cleaned(html)).toEqual(expected);
  });

  it.each([
    ['b<script>x(1) <p>c</p>', 'b', 'script', '2 words'],
    ['b<script/>x(1)</script>c', 'bc', '', ''],
    ['b<style>p {} c', 'b', 'style', '3 words'],
    ['b<textarea><p>c</p>', 'b', 'textarea', '1 word'],
    ['b<TITLE>c d', 'b', 'title', '2 words'],
    ['b<iframe src="https://v.example/a">c', 'b', 'iframe', '1 word'],
    ['b<plaintext>c d', 'b', 'plaintext', '2 words'],
    ['<p>b<svg><script>x(1)</p>c', '<p>b</p>c', 'script', '1 word'],
    ['b<script src="/a', 'b', 'script', ''],
  ])('should be removed with its raw text: %j', (html, text, tag, words) => {
    const [result, ...warnings] = cleaned(html);
    expect(result).toBe(text);
    const unended = `1 ${tag} without an end tag removed${words === '' ? '' : `, with ${words}`}`;
    expect(warnings).toContain(tag === '' ? '1 script removed' : unended);
  });

  function unended(...tags: string[]): string[] {
    return tags.map((tag) => `1 ${tag} without an end tag removed, content kept`);
  }
});

describe('the warning about an element', () => {
  it.each([
    ['<object><p>b <i>c</i></p></object><object>d</object>', '2 object removed, with 3 words'],
    ['<noscript>b &amp; c</noscript>', '1 noscript removed, with 3 words'],
    ['<svg><title>b</title><style>x y</style></svg>', '1 svg removed, with 1 word'],
    ['<script>x y</script>', '1 script removed'],
    ['<title>b c</title>', '1 title removed, with 2 words'],
    ['<select><option>b<option>c</select>', '1 select removed, with 2 words'],
    ['<video>b</video>', '1 video removed: only https URLs are allowed, with 1 word'],
    ['<iframe src="https://v.example/">b</iframe>', 'content of 1 iframe removed, with 1 word'],
  ])('should say how many words have gone with it: %j', (html, warning) => {
    expect(clean(html).warnings).toEqual([warning]);
  });
});

describe('what parsers take for a comment', () => {
  it.each([
    [
      'b<!-- x --><p>c</p><!-- <b>d',
      'b<p>c</p> <b>d</b>',
      '1 comment without an end removed, content kept',
    ],
    ['b<!--<!--c', 'bc', '2 comments without an end removed, content kept'],
    ['b<![CDATA[c <i>d</i>]]>e<![CDATA[f', 'bc <i>d</i>ef'],
    ['<svg><![CDATA[b</svg>c', 'c', '1 svg removed, with 1 word'],
    ['b<math><![CDATA[c<p>d', 'bc<p>d</p>', '1 math without an end tag removed, content kept'],
    ['<!DOCTYPE html><?xml version="1"?><![if !x]>b<![endif]>', 'b'],
    ['<?php x->y(); ?> &', '&lt;?php x-&gt;y(); ?&gt; &amp;'],
    ['b </3 c</i> <!d', 'b &lt;/3 c &lt;!d'],
    ['a <! b <i>c</i>', 'a &lt;! b <i>c</i>'],
    ['<>b</>', '&lt;&gt;b&lt;/&gt;'],
  ])('should hide nothing but comments: %j', (html, ...expected) => {
    expect(cleaned(html)).toEqual(expected);
  });
});

describe('a tag that no author can have meant', () => {
  it.each([
    'mail <ada@example.org> or <jean-luc@x-y.example>',
    'see <https://example.org/a?b> or <mailto:a@b.example>',
    'List<String> a; Map<String, List<Integer>> b; vector<std::string> c',
    'if a<b then c',
    'if (a<b && c>d || e<f) g',
    '<T>a</T> <Foo bar="x">b</Foo>',
    'a <- b, <3, <=, <1>, a <',
    'a<b<c',
    '<constructor> <__proto__> <int>',
    'a <b c="d',
  ])('should stay as text, also in code: %s', (text) => {
    const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
    expect(cleaned(text)).toEqual([escaped]);
    expect(cleaned(`<pre><code>${text}</code></pre>`)).toEqual([
      `<pre><code>${escaped}</code></pre>`,
    ]);
  });

  it.each([
    ['<p>if a<b then c</p><p>d</p>', '<p>if a&lt;b then c</p><p>d</p>'],
    ['<p <b>x</b></p>', '&lt;p <b>x</b><p></p>'],
    ['a<b<i>c</i>', 'a&lt;b<i>c</i>'],
    ['<a href="/b>c</a> <p>d</p>', '&lt;a href="/b&gt;c <p>d</p>'],
    ['<a href="/b" title="c < d">e</a>', '<a href="/b" title="c &lt; d">e</a>'],
    ['<img src="/a" alt="b<c>d">', '<img src="/a" alt="b&lt;c&gt;d" />'],
    ['<object>List<String></object>a', 'a'],
  ])('should not take the tags around it with it: %j', (html, text) => {
    expect(cleaned(html)[0]).toBe(text);
  });

  it.each([
    '<o:p>a</o:p>',
    '<x-y>a</x-y>',
    '<font-face>a',
    '<svg:g>a</svg:g>',
    '<g>a</g>',
    '<mrow>a</mrow>',
    '<BIG>a</BIG>',
    '<noindex>a</noindex>',
  ])('should be removed if it is the name of an element: %s', (html) => {
    expect(cleaned(html)[0]).toBe('a');
  });
});

describe('the line breaks of a pre', () => {
  it.each([
    ['<pre>\na</pre>', 'a'],
    ['<pre>\n\n a</pre>', '\n a'],
    ['<pre>\r\n\r\n\r\na</pre>', '\n\na'],
    ['<pre>&#10;a</pre>', 'a'],
    ['<pre>\n&#10;&#x0a;a</pre>', '\n\na'],
    ['<pre><code>\n\na</code></pre>', '\n\na'],
    ['<pre>\n<code class="language-js">\na</code></pre>', '\na'],
    ['<pre class="language-js">\n\n</pre>', '\n'],
    ['<ul><li>b<pre>\n\na</pre></li></ul>', '\na'],
    ['<table><td><pre>\n\na', '\na'],
    ['<pre><!-- b -->\na</pre>', '\na'],
    ['<pre><script></script>\na</pre>', '\na'],
    ['<pre><span>\na</span></pre>', '\na'],
    ['<pre><span id="b">\na</span></pre>', '\na'],
    ['<PRE>\n\n<b>a</b></PRE>', '\na'],
    ['<pre><div>a</div><div class="b">c</div></pre>', 'a\nc\n'],
    ['<pre><code><div>a</div>\n<DIV>b\n</DIV><div>c</div></code></pre>', 'a\n\nb\nc\n'],
    ['<pre>a<div><br></div><section>b</section>c</pre>', 'a\n\nb\nc'],
  ])('should be those that a browser shows: %j', (html, shown) => {
    const [text = ''] = cleaned(html);
    expect(textOf(findPre(parseFragment(text)))).toBe(shown);
  });

  type Node = DefaultTreeAdapterTypes.Node;

  function findPre(node: Node): Node | undefined {
    if (node.nodeName === 'pre') return node;
    return 'childNodes' in node
      ? node.childNodes.map(findPre).find((found) => found !== undefined)
      : undefined;
  }

  function textOf(node: Node | undefined): string {
    if (node === undefined) return '';
    if ('value' in node) return node.value;
    if (node.nodeName === 'br') return '\n';
    return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
  }
});
