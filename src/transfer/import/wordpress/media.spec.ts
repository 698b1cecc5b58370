import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { NO_CONTEXT, type WordpressContext } from './wordpress-context.js';
import { wordpressHtml } from './wordpress-html.js';

const onOneLine = (html: string): string => html.replace(/\n/g, '');

describe('media of WordPress', () => {
  const picture = (id: string) => ({
    url: `https://a.example/${id}.jpg`,
    alt: `Alt ${id}`,
    caption: '',
  });
  const attachments = new Map([
    ['1', { ...picture('1'), caption: 'One <b>caption</b>' }],
    ['2', picture('2')],
    ['3', { ...picture('3'), url: 'https://a.example/3.mp3' }],
  ]);
  const context = { ...NO_CONTEXT, attachments, uploads: [...attachments.values()] };
  const htmlOf = (content: string, more: Partial<WordpressContext> = {}): string =>
    onOneLine(wordpressHtml(content, { ...context, ...more }).html);
  const FIRST =
    '<figure><img src="https://a.example/1.jpg" alt="Alt 1"><figcaption>One <b>caption</b></figcaption></figure>';
  const SECOND = '<figure><img src="https://a.example/2.jpg" alt="Alt 2"></figure>';
  const VIDEO =
    '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" data-page="https://youtu.be/abcdefghijk"></iframe>';
  const SOUND = '<figure><audio controls src="https://a.example/3.mp3"></audio></figure>';

  it.each([
    ['[gallery ids="1,2" columns="2"]', FIRST + SECOND],
    ['[gallery]', FIRST + SECOND],
    ['[gallery exclude="1"]', SECOND],
    ['<!-- wp:gallery {"ids":[2]} /-->', SECOND],
    ['[playlist ids="3"]', SOUND],
    ['[audio src="http://a.example/3.mp3"][/audio]', SOUND],
    ['[audio]', SOUND],
    [
      '[video mp4="https://a.example/4.mp4" poster="https://a.example/4.jpg"][/video]',
      '<figure><video controls src="https://a.example/4.mp4" poster="https://a.example/4.jpg"></video></figure>',
    ],
    ['a\n\nhttps://youtu.be/abcdefghijk\n\nb', `<p>a</p><p>${VIDEO}</p><p>b</p>`],
    ['[embed width="5"]https://youtu.be/abcdefghijk[/embed]', `<p>${VIDEO}</p>`],
    ['[youtube id="abcdefghijk"]', expect.stringContaining('embed/abcdefghijk')],
    [
      '<!-- wp:embed {"url":"https://youtu.be/abcdefghijk"} -->\n<figure><div>\nhttps://youtu.be/abcdefghijk\n</div><figcaption>A</figcaption></figure>\n<!-- /wp:embed -->',
      `<figure><div><p>${VIDEO}</p></div><figcaption>A</figcaption></figure>`,
    ],
    [
      '<p>https://a.example/b?c=d&amp;e</p>',
      '<p><a href="https://a.example/b?c=d&amp;e">https://a.example/b?c=d&amp;e</a></p>',
    ],
    ['<p>see https://youtu.be/abcdefghijk</p>', '<p>see https://youtu.be/abcdefghijk</p>'],
    [
      '<pre>\nhttps://youtu.be/abcdefghijk\n[gallery]</pre>',
      '<pre>https://youtu.be/abcdefghijk[gallery]</pre>',
    ],
    ['[[gallery]]', '<p>[gallery]</p>'],
    ['if [[ -f a ]]', '<p>if [[ -f a ]]</p>'],
  ])('should show %j', (content, html) => {
    expect(htmlOf(content)).toEqual(html);
  });

  it('should show reusable blocks, also within each other, and never without end', () => {
    const blocks = new Map([
      ['7', '<p>seven</p><!-- wp:block {"ref":8} /-->'],
      ['8', '<p>eight</p><!-- wp:block {"ref":7} /-->'],
    ]);
    const { html } = wordpressHtml('<!-- wp:block {"ref":7} /-->', { ...context, blocks });
    expect(onOneLine(html)).toMatch(/^<p>seven<\/p><p>eight<\/p>/);
    const missing = wordpressHtml('<!-- wp:block {"ref":9} /--><p>a</p>', { ...context, blocks });
    expect(missing).toEqual({
      html: '<p>a</p>',
      notes: [expect.stringContaining('not in the file')],
    });
  });

  it('should show the footnotes of the block editor', () => {
    const meta = { footnotes: ['[{"id":"x-1","content":"A <em>note</em>"}]'] };
    const text =
      '<!-- wp:paragraph --><p>a<sup data-fn="x-1"><a href="#x-1" id="x-1-link">1</a></sup></p><!-- /wp:paragraph -->';
    const list = '<ol><li id="x-1">A <em>note</em> <a href="#x-1-link">↩</a></li></ol>';
    expect(htmlOf(`${text}<!-- wp:footnotes /--><p>b</p>`, { meta })).toMatch(`${list}<p>b</p>`);
    expect(htmlOf(text, { meta })).toMatch(list);
  });

  it('should show the recording of a podcast once', () => {
    const meta = { enclosure: ['https://a.example/3.mp3\n1234\naudio/mpeg\n'] };
    expect(htmlOf('Text', { meta })).toBe(`${SOUND}<p>Text</p>`);
    expect(htmlOf('[audio src="https://a.example/3.mp3"]', { meta })).toBe(SOUND);
  });

  it.each([
    [
      'Divi',
      '[et_pb_section fb_built="1"][et_pb_row][et_pb_column type="4_4"][et_pb_text _builder_version="4"]<p>a</p>[/et_pb_text][et_pb_image src="https://a.example/1.jpg" alt="b" title_text="c"][/et_pb_image][et_pb_button button_url="/d" button_text="D"][/et_pb_button][et_pb_toggle title="E %91f%93"]<p>g</p>[/et_pb_toggle][/et_pb_column][/et_pb_row][/et_pb_section]',
      '<p>a</p><figure><img src="https://a.example/1.jpg" alt="b"></figure><p><a href="/d">D</a></p><h3>E [f]</h3><p>g</p>',
    ],
    [
      'WPBakery',
      '[vc_row][vc_column width="1/2"][vc_custom_heading text="A" font_container="tag:h2|text_align:left"][vc_column_text]b\n\nc[/vc_column_text][vc_single_image image="2" img_size="full"][vc_btn title="d" link="url:https%3A%2F%2Fa.example%2F|title:e"][/vc_column][/vc_row]',
      `<h2>A</h2><p>b</p><p>c</p>${SECOND}`,
    ],
    [
      'raw HTML of WPBakery',
      `[vc_raw_html]${Buffer.from('%3Cp%3Ea%3C%2Fp%3E').toString('base64')}[/vc_raw_html]`,
      '<p>a</p>',
    ],
  ])('should show what the elements of a page builder hold: %s', (_, content, html) => {
    const { html: converted, notes } = wordpressHtml(content, context);
    expect(onOneLine(converted)).toContain(html);
    expect([converted.includes('['), notes]).toEqual([html.includes('['), []]);
  });

  it('should show the data of Elementor if there is no other text', () => {
    const data = [
      {
        elType: 'section',
        elements: [
          { widgetType: 'heading', settings: { title: 'A', header_size: 'h3' } },
          { widgetType: 'text-editor', settings: { editor: '<p>b</p>' } },
          {
            widgetType: 'image',
            settings: { image: { url: 'https://a.example/1.jpg' }, caption: 'c' },
          },
          { widgetType: 'video', settings: { youtube_url: 'https://youtu.be/abcdefghijk' } },
          {
            widgetType: 'accordion',
            settings: { tabs: [{ tab_title: 'd', tab_content: '<p>e</p>' }] },
          },
          { widgetType: 'button', settings: { text: 'f', link: { url: 'https://a.example/' } } },
        ],
      },
    ];
    const meta = { _elementor_data: [JSON.stringify(data)] };
    expect(htmlOf('', { meta })).toBe(
      '<h3>A</h3><p>b</p><figure><img src="https://a.example/1.jpg" alt=""><figcaption>c</figcaption></figure>' +
        `<p>${VIDEO}</p><h3>d</h3><p>e</p><p><a href="https://a.example/">f</a></p>`,
    );
    expect(htmlOf('Text', { meta })).toBe('<p>Text</p>');
  });

  it.each<[part: string, count: number, before?: string]>([
    ['[', 100_000],
    ['[a "', 30_000],
    ['<pre>', 30_000],
    ['<!-- wp:block {"ref":', 10_000],
    ['[caption]<img src="', 10_000],
    ['[code]', 20_000],
    ['[vc_raw_html]', 10_000],
    ['<p>https://a.example/', 10_000],
    ['<!--', 30_000],
    ['<div>a', 30_000],
    [' ', 100_000, 'a'],
    [' ', 100_000, 'https://a.example/'],
    ['\u2028', 100_000, 'a'],
    [' ', 10_000, '[vc_raw_html]'],
  ])('should take linear time for many %j', (part, count, before = '') => {
    const html = `${before}${part.repeat(count)}!`;
    expect(cpuTime(() => wordpressHtml(html, context), 1)).toBeLessThan(3_000);
  });
});
