import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { FrontMatterError, readFrontMatter } from './front-matter.js';

describe('readFrontMatter', () => {
  it.each([
    ['YAML', '---\ntitle: A\ntags: [b]\n---\nText'],
    ['YAML with CRLF', '---\r\ntitle: A\r\ntags: [b]\r\n---\r\nText'],
    ['YAML after a byte order mark', '\uFEFF---\ntitle: A\ntags: [b]\n---\nText'],
    ['TOML', '+++\ntitle = "A"\ntags = ["b"]\n+++\nText'],
    ['JSON', '{\n  "title": "A",\n  "tags": ["b"]\n}\nText'],
    ['JSON in a line', '{"title": "A", "tags": ["b"]}\n\nText'],
    ['JSON between dashes', '---json\n{"title": "A", "tags": ["b"]}\n---\nText'],
  ])('should read %s', (_, text) => {
    const { fields, body } = readFrontMatter(text);
    expect([{ ...fields }, body.trim()]).toEqual([{ title: 'A', tags: ['b'] }, 'Text']);
  });

  it.each([
    ['a text that does not begin with dashes', 'Text\n\n---\n\nMore\n\n---\n'],
    ['a shortcode', '{{< a >}}\n}\n'],
    ['a comment of MDX', '{/* a */}\n\nexport const b = {\n}\n'],
    ['an expression of MDX', '{"a"}\n\nexport const b = {\n}\n'],
  ])('should find no front matter in %s', (_, text) => {
    expect(readFrontMatter(text)).toEqual({ fields: {}, body: text });
  });

  it('should accept empty front matter', () => {
    expect(readFrontMatter('---\n---\nText')).toEqual({ fields: {}, body: 'Text' });
  });

  it.each([
    ['of Hexo, without a first line of dashes', 'title: A\ntags: [b]\n---\nText'],
    ['that ends with dots', '---\ntitle: A\ntags: [b]\n...\nText'],
    ['with a key twice, of which the last counts', '---\ntitle: C\ntags: [b]\ntitle: A\n---\nText'],
  ])('should read YAML %s', (_, text) => {
    expect(readFrontMatter(text)).toEqual({ fields: { title: 'A', tags: ['b'] }, body: 'Text' });
  });

  it.each([
    ['lines that begin with dashes', '---a\n'.repeat(200_000)],
    ['a first line without an end', '---\n' + 'a\n---a'.repeat(200_000)],
    ['a line of blanks', `---${' '.repeat(1_000_000)}`],
    ['plus signs', '+'.repeat(1_000_000)],
    ['braces', '{\n'.repeat(500_000)],
  ])('should take little time for %s', (_, text) => {
    expect(readFrontMatter(text).fields).toEqual({});
    expect(cpuTime(() => readFrontMatter(text))).toBeLessThan(1_000);
  });

  /** Each row: a label, the file, and a part of the message. */
  const REFUSED: readonly (readonly [string, string, string])[] = [
    ['a text without its end', '---\ntitle: "A\n---\nText', 'cannot be read'],
    ['a key without a value in TOML', '+++\ntitle = \n+++\nText', 'cannot be read'],
    ['a program', '---js\n{ title: 1 + 1 }\n---\nText', '"js", which is not read'],
    ['a list', '---\n- a\n---\n', 'is no list of fields'],
    ['aliases that multiply', `---\na: &a [x]\n${multiplied(9)}\n---\n`, 'cannot be read'],
    ['a list within itself', '---\na: &a [*a]\n---\n', 'contains itself'],
    ['an object within itself', '---\na: &a {b: {c: *a}}\n---\n', 'contains itself'],
    ['deep lists without an end', `---\na: ${'['.repeat(5_000)}\n---\n`, 'nested too deep'],
    ['deep lists', `---\na: ${nestedLists(30)}\n---\n`, 'nested deeper than 20'],
    ['deep lists in JSON', `{\n"a": ${nestedLists(9_000)}\n}\n`, 'nested deeper than 20'],
    ['deep lists in TOML', `+++\na = ${nestedLists(9_000)}\n+++\n`, 'cannot be read'],
    ['many values', `---\na: [${'b,'.repeat(30_000)}]\n---\n`, 'more than 20000 values'],
    ['a long text', `---\na: ${'b'.repeat(1_000_000)}\n---\n`, 'longer than 200000'],
  ];

  it.each(REFUSED)('should refuse %s', (_, text, message) => {
    const read = (): unknown => readFrontMatter(text);
    expect(read).toThrow(FrontMatterError);
    expect(read).toThrow(message);
  });
});

function nestedLists(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/** Lists of which each holds the one before it nine times. */
function multiplied(count: number): string {
  const lists = Array.from({ length: count }, (_, at) => {
    const before = at === 0 ? 'a' : `b${at - 1}`;
    return `b${at}: &b${at} [${`*${before},`.repeat(9)}]`;
  });
  return lists.join('\n');
}
