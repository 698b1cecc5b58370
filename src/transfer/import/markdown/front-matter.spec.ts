import { describe, expect, it } from '@jest/globals';
import { FrontMatterError, readFrontMatter } from './front-matter.js';

describe('readFrontMatter', () => {
  it.each([
    ['YAML', '---\ntitle: A\ntags: [b]\n---\nText'],
    ['YAML with CRLF', '---\r\ntitle: A\r\ntags: [b]\r\n---\r\nText'],
    ['YAML after a byte order mark', '\uFEFF---\ntitle: A\ntags: [b]\n---\nText'],
    ['TOML', '+++\ntitle = "A"\ntags = ["b"]\n+++\nText'],
    ['JSON', '{\n  "title": "A",\n  "tags": ["b"]\n}\nText'],
    ['JSON between dashes', '---json\n{"title": "A", "tags": ["b"]}\n---\nText'],
  ])('should read %s', (_, text) => {
    const { fields, body } = readFrontMatter(text);
    expect([{ ...fields }, body.trim()]).toEqual([{ title: 'A', tags: ['b'] }, 'Text']);
  });

  it.each([
    ['a text that does not begin with dashes', 'Text\n\n---\n\nMore\n\n---\n'],
    ['a shortcode', '{{< a >}}\n}\n'],
  ])('should find no front matter in %s', (_, text) => {
    expect(readFrontMatter(text)).toEqual({ fields: {}, body: text });
  });

  it('should accept empty front matter', () => {
    expect(readFrontMatter('---\n---\nText')).toEqual({ fields: {}, body: 'Text' });
  });

  it.each([
    ['---\ntitle: "A\n---\nText', 'cannot be read'],
    ['+++\ntitle = \n+++\nText', 'cannot be read'],
    ['---js\n{ title: 1 + 1 }\n---\nText', '"js", which is not read'],
    ['---\n- a\n---\n', 'is no list of fields'],
    [
      `---\na: &a [x]\n${Array.from({ length: 9 }, (_, at) => `b${at}: &b${at} [${`*${at ? `b${at - 1}` : 'a'},`.repeat(9)}]`).join('\n')}\n---\n`,
      'cannot be read',
    ],
  ])('should refuse %j', (text, message) => {
    const read = (): unknown => readFrontMatter(text);
    expect(read).toThrow(FrontMatterError);
    expect(read).toThrow(message);
  });
});
