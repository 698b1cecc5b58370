import { describe, expect, it } from '@jest/globals';
import { cleanAndReport } from '../clean-html.js';

const warningsOf = (html: string) => cleanAndReport(html).warnings;

const LINK_RULE = 'only http, https, mailto, tel, /path and #id are allowed';
const IMAGE_RULE = 'only http, https and /path URLs are allowed';

describe('the warnings of cleaning', () => {
  it.each([
    ['<iframe src="https://x"></iframe>a<IFRAME></IFRAME>', ['2 iframe removed']],
    ['<p style="color:red">a</p><div style="b:c">d</div>', ['style on 2 elements removed']],
    ['<b style="color:red">a</b>', ['style on 1 element removed']],
    ['<svg><g><path/><style>a</style></g></svg>', ['1 svg removed']],
    [
      '<video><track><source></video><embed>',
      ['1 embed removed', '1 video removed: only https URLs are allowed'],
    ],
    [
      '<form><input><font color=red style="a:b">c</font></form>',
      ['1 font removed, content kept', '1 form removed, content kept', '1 input removed'],
    ],
    ['<p onclick="a" onfocus="b">c</p>', ['event handlers on 1 element removed']],
    ['<a href="javascript:a">b</a><a href="c.html">d</a>', [`2 link URLs removed: ${LINK_RULE}`]],
    ['<img src="data:a" width="10%" alt="b">', [`1 img removed: ${IMAGE_RULE}`]],
    [
      '<img src="/a" width="50%"><img srcset="b">',
      [`1 img removed: ${IMAGE_RULE}`, 'width on 1 element removed'],
    ],
    [
      '<ol start="x"><li value="y">a</ol>',
      ['start on 1 element removed', 'value on 1 element removed'],
    ],
    [
      '<img src="/a" srcset="b"><video src="https://x/" poster="/c" autoplay></video>',
      [
        'autoplay on 1 element removed',
        'poster on 1 element removed',
        'srcset on 1 element removed',
      ],
    ],
    [
      '<img srcset="/a 1x,//b 2x"><source src="https://x/" srcset="/a 1x,/b 2x" sizes="a;b" media="\\">',
      [
        'media on 1 element removed',
        'part of srcset on 1 element removed',
        'sizes on 1 element removed',
      ],
    ],
    [
      '<input><source src="a"><track src="b">',
      ['1 input removed', '1 source removed', '1 track removed'],
    ],
    ['<td colspan="0" rowspan="2">a</td>', ['colspan on 1 element removed']],
    [
      '<x-y>a</x-y><o:constructor>b</o:constructor><constructor>',
      ['2 unknown elements removed, content kept'],
    ],
    [
      '<x-y style="a:b">c</x-y>',
      ['1 unknown element removed, content kept', 'style on 1 element removed'],
    ],
  ])('should count what a reader would notice: %s', (html, warnings) => {
    expect(warningsOf(html)).toEqual(warnings);
  });

  it.each([
    '<!-- a --><p>b</P><br><br/><hr >c&nbsp;d &copy; "e"',
    '<p class="x" id="y" data-z="1" lang="en" aria-label="z" role="note" itemprop="a">b</p>',
    '<div class="a"><span>b</span><section><header>c</header></section></div>',
    '<html><head><title></title><meta charset="utf-8"></head><body>b</body></html>',
    '<a href=" /a " target="_blank" rel="noopener">b</a><a name="c">d</a><a href="">e</a>',
    '<picture><source srcset="/a,/b 2x" type="b" sizes=""><img alt border="0" srcset="/d"></picture>',
    '<p style=" " title="">a</p><img><template><iframe></iframe></template>',
    '<ul><li>a<li>b</ul><table><tr><td>c</table><p>d<p>e</b>',
    '<code class="hljs language-js">a</code>',
    'a < b & c \0 d\r\n',
    '',
  ])('should not count what changes nothing for a reader: %s', (html) => {
    expect(warningsOf(html)).toEqual([]);
  });

  it('should say that a text beyond the limits became plain text', () => {
    expect(warningsOf('<b>'.repeat(513))).toEqual([
      expect.stringContaining('all tags became plain'),
    ]);
  });

  it('should stay short for a text with 100,000 different element names', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `<x-${index} on="y"></x-${index}>`);
    expect(warningsOf(names.join(''))).toEqual(['100000 unknown elements removed, content kept']);
  });

  it('should show 10 messages at most, the most frequent first', () => {
    const tags = 'form big center tt strike nobr marquee blink acronym map dialog menu dir meter';
    const forbidden = `${tags} progress portal svg math canvas button object applet`.split(' ');
    const html = forbidden.map((tag) => `<${tag}>a</${tag}>`).join('');
    const warnings = warningsOf(`${html}<iframe></iframe>${'<i style="a:b">c</i>'.repeat(3)}`);
    expect(warnings).toHaveLength(10);
    expect(warnings[0]).toBe('style on 3 elements removed');
    expect(warnings.at(-1)).toBe('and 15 more kinds of markup removed, with 3 words');
  });
});
