import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { MarkdownLimitError, renderMarkdown } from './markdown-html.ts';

const htmlOf = (text: string): string => renderMarkdown(text).html;

describe('renderMarkdown', () => {
  it('should render tables, task lists and footnotes', () => {
    const html = htmlOf('| a |\n|---|\n| 1 |\n\n- [x] done\n- [ ] open\n\nText[^1]\n\n[^1]: Note');
    expect(html).toContain('<td>1</td>');
    expect(html).toContain('<input checked="" disabled="" type="checkbox"> done');
    expect(html).toContain('<input disabled="" type="checkbox"> open');
    expect(html).toMatch(/href="#footnote-1"[\s\S]*id="footnote-1"/);
    // The footnotes of one text do not appear in the next.
    expect(htmlOf('Text')).toBe('<p>Text</p>\n');
  });

  it.each([
    ['{% highlight ruby %}\na < b\n{% endhighlight %}', 'language-ruby">a &lt; b'],
    ['{{< highlight go "linenos=table" >}}\nx := 1\n{{< /highlight >}}', 'language-go">x := 1'],
    ['{{< figure src="/a.png" caption="A" >}}', '<img src="/a.png" alt="A"><figcaption>A<'],
    ['{{< youtube abcdefghijk >}}', 'youtube-nocookie.com/embed/abcdefghijk"'],
    ['[a]({{ site.baseurl }}/b/)', 'href="/b/"'],
    ['[a]({{ "/b/" | relative_url }})', 'href="/b/"'],
  ])('should convert %s', (text, html) => {
    const rendered = renderMarkdown(text);
    expect(rendered.html).toContain(html);
    expect(rendered.notes).toEqual([]);
  });

  it('should keep other shortcodes as they are written, with a note for each', () => {
    const { html, notes } = renderMarkdown('A {{< gist >}} {% include c.html %} {{ d.e }}');
    expect(html).toContain('{% include c.html %}');
    expect(notes.map((note) => /"(.*)"/.exec(note)?.[1])).toEqual(['gist', 'include', 'd.e']);
  });

  it('should convert no shortcodes in code', () => {
    const code = '{{< youtube abcdefghijk >}}';
    const { html, notes } = renderMarkdown(`\`\`\`\n${code}\n\`\`\`\n\nand \`${code}\``);
    expect(html).not.toContain('iframe');
    expect(notes).toEqual([]);
  });

  it('should find the end of code after letters that are longer in lower case', () => {
    const text = `${'İ'.repeat(40)} <code>{{ a }}</CODE> {{ b }} <code>{{ c }}</code>`;
    expect(renderMarkdown(text).notes).toEqual([expect.stringContaining('"b"')]);
  });

  it('should take no object of JSX for a tag', () => {
    const notesOf = (attribute: string) => renderMarkdown(`A <b ${attribute}>c</b>`).notes;
    for (const value of ['{{ width: 1 }}', "{{'--a': 'b'}}", '{{...a}}', '{{}}']) {
      expect(notesOf(`style=${value}`)).toEqual([]);
    }
    expect(notesOf('style={{ theme.style }}')).toEqual([expect.stringContaining('"theme.style"')]);
  });

  it('should leave out the imports and exports of MDX', () => {
    const text = "import A from './a.js'\nexport const b = 1\n\nText";
    expect(renderMarkdown(text, { form: 'mdx' }).html).toBe('<p>Text</p>\n');
    expect(renderMarkdown(text).html).toContain('import A');
  });

  it('should say in one line why a text cannot be converted', () => {
    const reason = 'its text is nested deeper than 100 levels';
    expect(() => htmlOf('> '.repeat(200))).toThrow(new MarkdownLimitError(reason));
  });

  it.each<[string, string, 'markdown' | 'mdx']>([
    ['blanks in a heading', `# a${' '.repeat(300_000)}b`, 'markdown'],
    ['many lists of definitions', 'a\n: b\n\nc\n\n'.repeat(30_000), 'markdown'],
    ['containers with one end', `${'{% note %}\n'.repeat(27_000)}{% endnote %}`, 'markdown'],
    ['ends of others', `${'<Tab>\n'.repeat(25_000)}${'</Note>\n'.repeat(19_000)}`, 'mdx'],
    ['brackets without an end', 'export const a = {\n'.repeat(16_000), 'mdx'],
  ])('should take linear time for %s', (_, text, form) => {
    expect(cpuTime(() => renderMarkdown(text, { form }))).toBeLessThan(3_000);
  });
});
