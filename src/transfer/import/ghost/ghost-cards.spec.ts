import { describe, expect, it } from '@jest/globals';
import { withPlainCards } from './ghost-cards.js';
import { lexicalHtml, mobiledocHtml } from './ghost-documents.js';

const AUDIO =
  '<figure><audio controls src="https://a.example/a.mp3"></audio><figcaption>Song</figcaption></figure>';

describe('the cards of Ghost', () => {
  it.each([
    [
      '<div class="kg-card kg-audio-card"><img class="kg-audio-thumbnail"><div><audio src="https://a.example/a.mp3"></audio><div class="kg-audio-title">Song</div><button>1×</button><span>0:00</span></div></div>',
      AUDIO.replace('controls ', 'controls="" '),
    ],
    [
      '<figure class="kg-card kg-video-card" data-kg-thumbnail="https://a.example/a.jpg"><div><video src="https://a.example/a.mp4"></video><button>1×</button></div><figcaption>A <b>b</b></figcaption></figure>',
      '<figure><video controls="" src="https://a.example/a.mp4" poster="https://a.example/a.jpg"></video><figcaption>A <b>b</b></figcaption></figure>',
    ],
    [
      '<div class="kg-card kg-toggle-card"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">A</h4><button><svg></svg></button></div><div class="kg-toggle-content"><p>b</p></div></div>',
      '<details><summary>A</summary><p>b</p></details>',
    ],
    [
      '<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">A <b>b</b></div></div>',
      '<blockquote><p>💡 A <b>b</b></p></blockquote>',
    ],
    [
      '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://a.example/"><div class="kg-bookmark-title">A</div><div class="kg-bookmark-description">b</div><div class="kg-bookmark-metadata">c</div></a></figure>',
      '<p><a href="https://a.example/">A</a><br>b</p>',
    ],
    [
      '<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="https://a.example/a.pdf"><div class="kg-file-card-title">A</div><div class="kg-file-card-filename">a.pdf</div><div class="kg-file-card-filesize">1 MB</div></a></div>',
      '<p><a href="https://a.example/a.pdf">A</a><br>a.pdf, 1 MB</p>',
    ],
    ['<p>a</p><div class="kg-signup-card"><form>Subscribe</form></div>', '<p>a</p>'],
    [
      '<figure class="kg-card kg-image-card"><img src="/a.png"></figure>',
      '<figure class="kg-card kg-image-card"><img src="/a.png"></figure>',
    ],
  ])('should become what readers see of them: %s', (html, plain) => {
    expect(withPlainCards(html)).toBe(plain);
  });
});

describe('a post without HTML', () => {
  it('should be read from the document of the present editor', () => {
    const text = (value: string, format = 0) => ({ type: 'extended-text', text: value, format });
    const root = {
      type: 'root',
      children: [
        { type: 'extended-heading', tag: 'h2', children: [text('A & b')] },
        {
          type: 'paragraph',
          children: [
            text('c', 3),
            { type: 'linebreak' },
            { type: 'link', url: 'https://a.example/', children: [text('d')] },
          ],
        },
        {
          type: 'list',
          listType: 'number',
          children: [{ type: 'listitem', children: [text('e', 16)] }],
        },
        { type: 'image', src: '/a.png', alt: 'f', caption: 'g' },
        { type: 'audio', src: 'https://a.example/a.mp3', title: 'Song' },
        { type: 'codeblock', code: 'a < b', language: 'js' },
        { type: 'markdown', markdown: '*h*' },
        { type: 'toggle', heading: 'i', content: '<p>j</p>' },
        { type: 'horizontalrule' },
        { type: 'paywall' },
      ],
    };
    expect(lexicalHtml(JSON.stringify({ root })).replace(/\n/g, '')).toBe(
      '<h2>A &amp; b</h2><p><strong><em>c</em></strong><br><a href="https://a.example/">d</a></p><ol><li><code>e</code></li></ol>' +
        `<figure><img src="/a.png" alt="f"><figcaption>g</figcaption></figure>${AUDIO}` +
        '<pre><code class="language-js">a &lt; b</code></pre><p><em>h</em></p><details><summary>i</summary><p>j</p></details><hr>',
    );
  });

  it('should be read from the document of the former editor', () => {
    const document = {
      version: '0.3.1',
      markups: [['strong'], ['a', ['href', 'https://a.example/']]],
      atoms: [['soft-return', '', {}]],
      cards: [
        ['hr', {}],
        ['card-markdown', { markdown: '*h*' }],
        ['code', { code: 'x' }],
      ],
      sections: [
        [1, 'h2', [[0, [], 0, 'A']]],
        [
          1,
          'p',
          [
            [0, [0], 0, 'b '],
            [0, [1], 2, 'c'],
            [1, [], 0, 0],
            [0, [], 0, '<d>'],
          ],
        ],
        [3, 'ul', [[[0, [], 0, 'e']], [[0, [], 0, 'f']]]],
        [10, 0],
        [10, 1],
        [10, 2],
      ],
    };
    expect(mobiledocHtml(JSON.stringify(document)).replace(/\n/g, '')).toBe(
      '<h2>A</h2><p><strong>b <a href="https://a.example/">c</a></strong><br>&lt;d&gt;</p><ul><li>e</li><li>f</li></ul>' +
        '<hr><p><em>h</em></p><pre><code class="language-text">x</code></pre>',
    );
  });

  it.each(['', '{', '{"root":{}}', '[]', 'null'])('should have no text if it is %j', (json) => {
    expect([lexicalHtml(json), mobiledocHtml(json)]).toEqual(['', '']);
  });
});
