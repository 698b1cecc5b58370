import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { linksForEmbeds } from './embeds.js';
import { embedOf } from './media.js';

const YOUTUBE = 'https://www.youtube.com/watch?v=abcdefghijk';

describe('linksForEmbeds', () => {
  it.each([
    ['https://www.youtube.com/embed/abcdefghijk?rel=0', YOUTUBE],
    ['//www.youtube.com/embed/abcdefghijk', YOUTUBE],
    ['http://www.youtube-nocookie.com/embed/abcdefghijk', YOUTUBE],
    ['https://player.vimeo.com/video/123456?h=a', 'https://vimeo.com/123456'],
    ['https://maps.example/a?b=c&amp;d', 'https://maps.example/a?b=c&amp;d'],
  ])('should make a link of %s', (src, page) => {
    const { html, notes } = linksForEmbeds(`<p>a</p><iframe src="${src}" />b`, () => false);
    expect(html).toBe(`<p>a</p><a href="${page}">${page}</a>b`);
    expect(notes).toEqual([expect.stringContaining('EMBED_HOSTS')]);
  });

  it('should name the title of an embed in the link', () => {
    const html = '<iframe title="A &amp; B" src="https://a.example/b">no frames</iframe>c';
    expect(linksForEmbeds(html, () => false).html).toBe(
      '<a href="https://a.example/b">A &amp; B</a>c',
    );
  });

  it.each([
    ['www.youtube.com', 'https://www.youtube.com/embed/abcdefghijk'],
    ['www.youtube-nocookie.com', 'https://www.youtube-nocookie.com/embed/abcdefghijk'],
  ])('should embed a video by %s if this host is listed', (host, src) => {
    const canEmbed = (url: string): boolean => url.startsWith(`https://${host}/`);
    for (const page of [YOUTUBE, 'https://youtu.be/abcdefghijk?t=5', src]) {
      const { html, notes } = linksForEmbeds(embedOf(page), canEmbed);
      expect([html, notes]).toEqual([`<p><iframe src="${src}"></iframe></p>`, []]);
    }
  });

  it.each([
    '<iframe srcdoc="a"></iframe>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<pre>&lt;iframe src="https://a.example"&gt;</pre>',
    '<p>a</p>',
  ])('should leave %s to the cleaner', (html) => {
    expect(linksForEmbeds(html, () => false)).toEqual({ html, notes: [] });
  });

  it('should take linear time', () => {
    const html = '<iframe src="'.repeat(20_000) + '<iframe '.repeat(20_000);
    expect(cpuTime(() => linksForEmbeds(html, () => false))).toBeLessThan(2_000);
  });
});
