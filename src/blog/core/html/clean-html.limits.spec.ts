import { describe, expect, it } from '@jest/globals';
import { HOST_SETTINGS } from '../../../../test/support/html/embed-oracle.js';
import { isLong, sample } from '../../../../test/support/scale.js';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { cleanHtml } from './clean-html.js';

const LENGTH = 100_000;
/** CPU time, which other programs do not affect. Linear work takes far less, quadratic far more. */
const DEADLINE_MS = 5_000;

const UNITS = [
  '<b>',
  '<div>',
  '<p>',
  '</p>',
  '<p><x-y>',
  '<li><b>',
  '<table>',
  '<svg>',
  '<noscript>',
  '<form>',
  '<a href=',
  '<a href="',
  '<img alt="x">',
  '<img alt="',
  '<!--',
  '<![CDATA[',
  '<',
  '</',
  '&',
  '&#',
  '<script>',
  '<pre>\n',
  '\r',
  '\0',
  '<div><noscript></div>',
  'a="b" ',
  '<h1></h1>',
  '<h1 id=x>y</h1>',
  '<p id=x>',
  '<a href=#x id=x>',
  '<i id=x></i><a href=#x></a>',
  '<iframe src=//x.example>',
  '<iframe src=https://x.example></iframe>',
  '<iframe>',
  '<svg><foreignObject>',
  '<table><hr>',
  '<table><a>',
  '<h1><table><h1>x</table>',
  '<p></b>',
  '<dt><table><p><dd>x</table>',
  '<b><ul></ul></b>',
  '<a><p>',
  '<tr><td>x',
  '<b><p>x</b>',
  '<b ',
  '<b',
  '<T>',
  `<a b="c' d='`,
  '<![CDATA[',
  '<?xml',
  '<!',
  '</3',
  '<script/>',
  '<svg><script>',
  '<object>',
  '<iframe src=https://x.example/a />',
  '<video src=https://x/>',
  '<video><source src=https://x/>',
  '<ruby><rt>',
  '<rt><caption>',
  '<th id=a headers="a b">',
  '<img src=/a srcset="/a 1x, /b 2x">',
  '<pre><span>\n',
];

/** Further hostile texts. The trees of some are far larger, because each block repeats open inline elements. */
const HOSTILE_TEXTS = {
  'a long link': `<p><a href="/${'x'.repeat(50_000)}">${'<ul>x</ul>'.repeat(5_000)}`,
  'many open elements': `<p>${numbered(500, (n) => `<code class="language-${n}">`)}${'<ul>x</ul>'.repeat(5_000)}`,
  'inline element in inline element': `<p>${'<i><b><u><s><em>'.repeat(100)}${'<ul>x</ul>'.repeat(9_000)}`,
  'many ids': numbered(4_000, (n) => `<i id=${n}></i><a href=#${n}>x</a>`),
  'ids that equal the numbered ids of headings': `${numbered(5_000, (n) => `<h1 id=h-x-${n}>`)}${'<h1>x</h1>'.repeat(5_000)}`,
  'headings in headings': `${'<h1><table><td>'.repeat(100)}${'x'.repeat(90_000)}`,
  'link in link': `${'<a href="/x">a<table>'.repeat(250)}x`,
  'a tag that is text, with a > at the end': `${`<a b="c' d='`.repeat(8_000)}>`,
  'a script that ends late': `${'<script/>'.repeat(11_000)}</script>`,
  'a long srcset': `<img src="/a" srcset="${'/a 1x, '.repeat(14_000)}">`,
  'sources behind blanks': `<video>${' '.repeat(50_000)}x${'<source src=https://x>'.repeat(2_500)}`,
  'many headers': `<td id=a>${`<td headers="${'a '.repeat(40_000)}">`}`,
  'cell in cell': `${'<table><td>'.repeat(200)}x`,
};

function numbered(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('');
}

/** The setting with embeds includes all work without them, so `npm test` runs only that one. */
const SETTINGS = isLong ? HOST_SETTINGS : HOST_SETTINGS.slice(1);

describe.each(SETTINGS)('cleanHtml of a hostile text, $setting', ({ hosts }) => {
  it.each([
    ...sample(UNITS, 20).map((unit) => [`100 KB of ${unit}`, unit.repeat(LENGTH / unit.length)]),
    ...Object.entries(HOSTILE_TEXTS),
  ])('should take bounded time and space, and be stable: %s', (_, hostile) => {
    let cleaned = '';
    expect(cpuTime(() => (cleaned = cleanHtml(hostile, hosts)), 1)).toBeLessThan(DEADLINE_MS);
    expect(cleaned.length).toBeLessThan(10 * hostile.length);
    expect(cleanHtml(cleaned, hosts)).toBe(cleaned);
  });

  it('should escape a text whose elements are nested more than 512 deep', () => {
    const deep = `${'<b>'.repeat(513)}x`;
    expect(cleanHtml(deep, hosts)).toBe(deep.replace(/</g, '&lt;').replace(/>/g, '&gt;'));
    expect(cleanHtml(`${'<b>'.repeat(512)}x`, hosts)).toContain('<b>x</b>');
  });

  it('should escape a text that would grow too much when parsed', () => {
    const text = HOSTILE_TEXTS['a long link'];
    expect(cleanHtml(text, hosts)).toBe(text.replace(/</g, '&lt;').replace(/>/g, '&gt;'));
  });
});
