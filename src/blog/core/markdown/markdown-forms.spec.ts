import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from './markdown-html.ts';

type Cases = readonly (readonly [text: string, html: string])[];

const onOneLine = (html: string): string => html.replace(/\n/g, '');
const htmlOf = (text: string, form: 'markdown' | 'mdx' | 'html' = 'markdown'): string =>
  onOneLine(renderMarkdown(text, { form }).html);
const notesOf = (text: string, form: 'markdown' | 'mdx' = 'markdown'): readonly string[] =>
  renderMarkdown(text, { form }).notes;

/** What must come out within code as it is written. */
const SYNTAX = [
  '$a_1 * b_2$',
  '[[Page]]',
  '==mark==',
  '{% youtube abcdefghijk %}',
  '{{< figure src="/a.png" >}}',
  '{{ site.url }}',
  '{: .class}',
  ':::note',
  '[!NOTE]',
  '{/* a */}',
];

const FORMS: Readonly<Record<string, Cases>> = {
  formulas: [
    ['Let $a_1 * b_2 * c < d$ be', '<p>Let $a_1 * b_2 * c &lt; d$ be</p>'],
    ['$$\na_1 \\\\ b *c*\n\n& d\n$$', '<p>$$a_1 \\\\ b *c*&amp; d$$</p>'],
    ['It costs $5 and $10, or *US$5*-$6', '<p>It costs $5 and $10, or <em>US$5</em>-$6</p>'],
    ['\\\\(a_1 *b*\\\\)', '<p>\\\\(a_1 *b*\\\\)</p>'],
    [
      '\\begin{align}\na_1 &= *b* \\\\\n\\end{align}',
      '<p>\\begin{align}a_1 &amp;= *b* \\\\\\end{align}</p>',
    ],
  ],
  callouts: [
    [
      '> [!NOTE]\n> A **b**',
      '<blockquote><p><strong>Note</strong></p><p>A <strong>b</strong></p></blockquote>',
    ],
    ['> [!tip]- My title\n> A', '<details><summary>My title</summary><p>A</p></details>'],
    ['> [!x\n> A', '<blockquote><p>[!xA</p></blockquote>'],
    [
      ':::warning[Mind *this*]\nA\n:::',
      '<blockquote><p><strong>Mind <em>this</em></strong></p><p>A</p></blockquote>',
    ],
    [
      '::::info\n:::tip T\nA\n:::\n::::',
      '<blockquote><p><strong>Info</strong></p><blockquote><p><strong>T</strong></p><p>A</p></blockquote></blockquote>',
    ],
    [
      ':::note\n```\n:::\n```\n:::',
      '<blockquote><p><strong>Note</strong></p><pre><code>:::</code></pre></blockquote>',
    ],
    [':::note\nA', '<p>:::noteA</p>'],
    ['> [!my-kind] T\n> A', '<blockquote><p><strong>T</strong></p><p>A</p></blockquote>'],
    [
      '=== "C"\n\n    ```c\n    a\n    ```\n\n=== "D"\n\n    b',
      '<p><strong>C</strong></p><pre><code class="language-c">a</code></pre><p><strong>D</strong></p><p>b</p>',
    ],
    [
      '!!! danger "T"\n    A\n\nB',
      '<blockquote><p><strong>T</strong></p><p>A</p></blockquote><p>B</p>',
    ],
    [
      '{% note info %}\nA *b*\n{% endnote %}',
      '<blockquote><p><strong>Info</strong></p><p>A <em>b</em></p></blockquote>',
    ],
    [
      '{{% notice tip "T" %}}\nA\n{{% /notice %}}',
      '<blockquote><p><strong>T</strong></p><p>A</p></blockquote>',
    ],
  ],
  'links and pictures of notebooks': [
    [
      '[[A page]] and [[b|c]]',
      '<p><a href="article:A%20page">A page</a> and <a href="article:b">c</a></p>',
    ],
    [
      '[[a#The part|c]] [[#Here]]',
      '<p><a href="article:a#The%20part">c</a> <a href="#Here">Here</a></p>',
    ],
    ['![[a b.png|300x20]]', '<p><img src="a%20b.png" alt="a b" width="300" height="20"></p>'],
    ['![[a.png|An engine|300]]', '<p><img src="a.png" alt="An engine" width="300"></p>'],
    [
      '![An engine|30x20](/a.png)',
      '<p><img src="/a.png" alt="An engine" width="30" height="20"></p>',
    ],
    ['![[a.mp3]]', '<p><audio controls src="a.mp3"></audio></p>'],
    ['![[a b.mp4]]', '<p><video controls src="a%20b.mp4"></video></p>'],
    ['![[a.pdf]] [[b.pdf|c]]', '<p><a href="a.pdf">a.pdf</a> <a href="b.pdf">c</a></p>'],
    [
      '[[a#b#The part | c]] [[d#^0f1e]]',
      '<p><a href="article:a#The%20part">c</a> <a href="article:d">d</a></p>',
    ],
    ['a %%b *c*%% d\n\n%%\ne\n\nf\n%%\n\ng %%h and i%%j', '<p>a  d</p><p>g %%h and i%%j</p>'],
    ['[a](@/b/c.md#d) [e](@/f/_index.md)', '<p><a href="/b/c#d">a</a> <a href="/f/">e</a></p>'],
    ['if [[ -f x ]]; then', '<p>if [[ -f x ]]; then</p>'],
    ['a ==b *c*== d, e == f', '<p>a <mark>b <em>c</em></mark> d, e == f</p>'],
  ],
  'lists of definitions': [
    [
      'A\n: B *c*\n\nD\n: E\n: F',
      '<dl><dt>A</dt><dd>B <em>c</em></dd><dt>D</dt><dd>E</dd><dd>F</dd></dl>',
    ],
    ['A\n:   B\n\n    C\n\nD', '<dl><dt>A</dt><dd><p>B</p><p>C</p></dd></dl><p>D</p>'],
    ['A: b\nc', '<p>A: bc</p>'],
  ],
  attributes: [
    ['## A *b* {#c}', '<h2 id="c">A <em>b</em></h2>'],
    ['## A {: #c .d}', '<h2 id="c">A</h2>'],
    ['A\n{: .b}\n\nC', '<p>A</p><p>C</p>'],
    [
      '|A|\n|-|\n|B|\n{: .c #d}\n\nE',
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>B</td></tr></tbody></table><p>E</p>',
    ],
    [
      '<figure markdown="span">\n  ![a](/b.png)\n  <figcaption>C</figcaption>\n</figure>',
      '<figure markdown="span"><p>  <img src="/b.png" alt="a"></p>  <figcaption>C</figcaption></figure>',
    ],
    ['<div markdown="0">\n*a*\n</div>', '<div markdown="0">*a*</div>'],
    ['```\na\n```\n{: .language-js}', '<pre><code class="language-js">a</code></pre>'],
    [
      '![a](/b.png){width=30px} [c](/d){:target="_blank"}',
      '<p><img src="/b.png" alt="a" width="30"> <a href="/d">c</a></p>',
    ],
    ['* TOC\n{:toc}\n\nA', '<p>A</p>'],
    ['A {b} {: c', '<p>A {b} {: c</p>'],
    ['A {::comment}b{:/comment}', '<p>A </p>'],
  ],
  'languages of code': [
    ['```{.python #a}\nb\n```', '<pre><code class="language-python">b</code></pre>'],
    ['```js{1,3}\nb\n```', '<pre><code class="language-js">b</code></pre>'],
    ['```js:a.js\nb\n```', '<pre><code class="language-js">b</code></pre>'],
    ['```{linenos=true}\nb\n```', '<pre><code>b</code></pre>'],
    [
      '[sourcecode language="js"]\na < *b*\n[/sourcecode]',
      '<pre><code class="language-js">a &lt; *b*</code></pre>',
    ],
    ['[code][1] [code](/a)\n\n[1]: /b', '<p><a href="/b">code</a> <a href="/a">code</a></p>'],
    [
      '{% codeblock A title lang:c++ %}\n*b*\n{% endcodeblock %}',
      '<pre><code class="language-c++">*b*</code></pre>',
    ],
  ],
  'tags of generators': [
    [
      '{% include youtube.html id="abcdefghijk" %}',
      '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk"></iframe>',
    ],
    [
      '{% youtube https://youtu.be/abcdefghijk %}',
      '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk"></iframe>',
    ],
    [
      '{% gist ada/0123456789abc %}',
      '<p><a href="https://gist.github.com/ada/0123456789abc">https://gist.github.com/ada/0123456789abc</a></p>',
    ],
    [
      '{{< tweet user="ada" id="123456" >}}',
      '<p><a href="https://twitter.com/ada/status/123456">https://twitter.com/ada/status/123456</a></p>',
    ],
    ['{% asset_img a.png The engine %}', '<p><img src="a.png" alt="The engine"></p>'],
    [
      '{% img left /a.png 300 20 "T" "An engine" %}',
      '<p><img src="/a.png" alt="An engine" width="300" height="20"></p>',
    ],
    ['{% post_link a-b The other %}', '<p><a href="article:a-b">The other</a></p>'],
    [
      '{% link My words https://a.example/b true %} {% link _posts/c.md %}',
      '<p><a href="https://a.example/b">My words</a> <a href="article:_posts%2Fc.md">_posts/c.md</a></p>',
    ],
    ['{% asset_link a.pdf The paper %}', '<p><a href="a.pdf">The paper</a></p>'],
    ['{% pullquote left %}\nA\n{% endpullquote %}', '<blockquote><p>A</p></blockquote>'],
    ['{{< video src="/a.mp4" >}}', '<video controls src="/a.mp4"></video>'],
    ['A {{< button href="/a" >}}B{{< /button >}}', '<p>A <a href="/a">B</a></p>'],
    [
      '{{ youtube(id="abcdefghijk", autoplay=true) }}',
      '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk"></iframe>',
    ],
    [
      '{% quote(author="B") %}\nA\n{% end %}\n\nC',
      '<blockquote><p><cite>B</cite></p><p>A</p></blockquote><p>C</p>',
    ],
    [
      '[a]({% post_url 2020-01-02-b %}) [c]({{< ref "d.md#e" >}})',
      '<p><a href="article:2020-01-02-b">a</a> <a href="article:d.md#e">c</a></p>',
    ],
    [
      '{{< details "More" >}}\nA\n{{< /details >}}',
      '<details><summary>More</summary><p>A</p></details>',
    ],
    ['{% raw %}{{ a }}{% endraw %} {% comment %}b{% endcomment %}', '<p>{{ a }} </p>'],
    ['{{</* youtube a */>}}', '<p>{{&lt; youtube a &gt;}}</p>'],
    ['- a\n- {{< unknown_b_c *d* >}}', '<ul><li>a</li><li>{{&lt; unknown_b_c *d* &gt;}}</li></ul>'],
  ],
};

const MDX: Cases = [
  ["import A, { b } from './a'\n\nexport const c = {\n\n  d: 1,\n}\n\nE", '<p>E</p>'],
  ['A {/* b */} c\n\n{/*\nd\n\n*/}\n\nE', '<p>A  c</p><p>E</p>'],
  ['A {"b"} {\'c\'} {`d`} {5} e', '<p>A b c d 5 e</p>'],
  ['<Chart\n  a={{ b: "}" }}\n  c={1 > 2}\n/>\n\nD', '<p>D</p>'],
  [
    '<Tabs>\n  <TabItem label="A">\n\n    b *c*\n\n  </TabItem>\n</Tabs>',
    '<p><strong>A</strong></p><p>    b <em>c</em></p>',
  ],
  [
    '<Callout type="tip">A *b*</Callout>',
    '<blockquote><p><strong>Tip</strong></p><p>A <em>b</em></p></blockquote>',
  ],
  ['a <Badge>new</Badge> b', '<p>a new b</p>'],
  ['import a from \'./a.png\'\n\n<Image src={a} alt="A" />', '<img src="./a.png" alt="A">'],
  ['<img src={require("./a.png").default} className="b" />', '<img src="./a.png" class="b">'],
  [
    '<iframe src="https://v.example/1" />\n\nA',
    '<iframe src="https://v.example/1"></iframe><p>A</p>',
  ],
  [
    '<YouTube id="abcdefghijk" />',
    '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk"></iframe>',
  ],
  ['<b constructor="c">d</b>', '<p><b constructor="c">d</b></p>'],
  ['1 < 2, a<b, c {d', '<p>1 &lt; 2, a&lt;b, c {d</p>'],
  ['a < b and c > d', '<p>a &lt; b and c &gt; d</p>'],
  ['## A {/*b*/}\n\nC {/*d*/}', '<h2 id="b">A</h2><p>C </p>'],
  [
    '<LinkCard\n  title="A"\n  description="B"\n  href="/c"\n/>',
    '<p><strong><a href="/c">A</a></strong></p><p>B</p>',
  ],
  ['<LinkButton href="/a">B</LinkButton>', '<p><a href="/a">B</a></p>'],
  ['## A {#b}\n\n## C {/* #d */}', '<h2 id="b">A</h2><h2 id="d">C</h2>'],
  ['```jsx\n<A b={1} />\n```', '<pre><code class="language-jsx">&lt;A b={1} /&gt;</code></pre>'],
];

describe('renderMarkdown', () => {
  for (const [name, cases] of Object.entries(FORMS)) {
    it.each(cases)(`should understand ${name}: %j`, (text, html) => {
      expect(htmlOf(text)).toBe(html);
    });
  }

  it.each(MDX)('should understand MDX: %j', (text, html) => {
    expect(htmlOf(text, 'mdx')).toBe(html);
  });

  it.each([
    ['<Note>\n\nA\n\n</Note>', true],
    ['<Chart a={1} />', true],
    ['## A {/*b*/}', true],
    ['```html\n<script>\n```\n\n<Note>\nA\n</Note>', true],
    ["import a from 'b'\n\nA <Badge /> b", false],
    ['List<String> and <T>\n\n    <A />\n\n`<B />`', false],
    ['<script setup>\nimport A from "./a.vue"\n</script>\n\n<A :b="c" />', false],
  ])('should tell whether a text is MDX: %j', (text, isMdx) => {
    const [asMdx, plain] = (['mdx', 'markdown'] as const).map((form) => htmlOf(text, form));
    expect(plain === asMdx).toBe(isMdx);
  });

  it('should find embedded files by their names', () => {
    const { html } = renderMarkdown('![[a b.png]] ![[c.png]]', {
      files: { 'a b.png': '../files/a b.png' },
    });
    expect(html).toContain('<img src="../files/a%20b.png" alt="a b"> <img src="c.png" alt="c">');
  });

  it.each(SYNTAX)('should change nothing in code: %s', (syntax) => {
    const escaped = syntax.replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
    const texts = [`\`${syntax}\``, `\`\`\`\n${syntax}\n\`\`\``, `> ~~~\n> ${syntax}\n> ~~~`];
    for (const text of [...texts, `A\n\n    ${syntax}`, `- a\n\n  \`\`\`\n  ${syntax}\n  \`\`\``]) {
      expect(htmlOf(text)).toContain(`${escaped}</code>`);
      expect(notesOf(text)).toEqual([]);
    }
    expect(htmlOf(texts[0]!, 'mdx')).toContain(`${escaped}</code>`);
    expect(htmlOf(`<pre>${syntax}</pre>`, 'html')).toBe(`<pre>${syntax}</pre>`);
  });

  it.each([
    ['{{< timeline >}}', 'markdown', 'the shortcode or tag "timeline" stays'],
    [':::columns\nA\n:::', 'markdown', 'the container "columns" is left out'],
    ['<Chart />', 'mdx', 'the component "Chart" is left out'],
    // Every object of JavaScript has properties of these names.
    ['<Constructor />', 'mdx', 'the component "Constructor" is left out'],
    ['A\n\n<A.__proto__ />', 'mdx', 'the component "A.__proto__" is left out'],
    ['A %%b%% c', 'markdown', 'comments between %% are left out'],
    ['A {% end %}', 'markdown', 'the shortcode or tag "end" stays'],
    ['{list.map((each) => <b>{each}</b>)}', 'mdx', 'expressions of MDX stay'],
  ] as const)('should report what it does not know: %j', (text, form, note) => {
    expect(notesOf(text, form)).toEqual([expect.stringContaining(note)]);
  });

  it('should convert the tags in HTML', () => {
    const { html } = renderMarkdown('<p>*a* <a href="{{ site.url }}/b">c</a></p>', {
      form: 'html',
    });
    expect(html).toBe('<p>*a* <a href="/b">c</a></p>');
  });

  it.each([
    ['de-AT', null, 'Größe', '<h2>Fußnoten</h2>'],
    ['ja', 'de', 'a', '<h2>脚注</h2>'],
    [null, 'de', 'Размер', '<h2>Сноски</h2>'],
    [null, 'pt-BR', 'Tamanho', '<h2>Notas de rodapé</h2>'],
    [null, null, 'Size', '<hr>'],
    ['xx', 'de', 'Size', '<hr>'],
    ['constructor', null, 'Size', '<hr>'],
  ])('should head footnotes by the languages %s and %s, of %j', (language, site, word, heading) => {
    const { html } = renderMarkdown(`${word}[^1]\n\n[^1]: A`, { language, siteLanguage: site });
    expect(html).toContain(`${heading}\n<ol>`);
  });
});
