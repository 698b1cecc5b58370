/** Generates what the programs export from which `pressroom import` reads. */
import { createWriteStream, mkdirSync, writeFileSync, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { cycled, randomOf, type Random } from '../support/statistics.ts';

const WORDS = 4_000;
const TAGS = 300;
const AUTHORS = 20;
const PARAGRAPHS = 10;
const PARAGRAPH_WORDS = 80;
const HOUR_MS = 3_600_000;
const FIRST_AT = Date.UTC(2015, 0, 1);

interface Article {
  readonly number: number;
  readonly title: string;
  readonly slug: string;
  readonly at: string;
  readonly tags: readonly number[];
  readonly author: number;
  readonly paragraphs: readonly string[];
}

type Writer = (folder: string, articles: Iterable<Article>) => Promise<string>;

/** Writes the articles in a format. @returns the path for the command */
export const FORMATS: Readonly<Record<string, Writer>> = {
  markdown: writeMarkdown,
  ghost: writeGhost,
  wordpress: writeWordpress,
};

/** The same articles in each run: 800 words each. */
export function* articlesOf(count: number): Generator<Article> {
  const random = randomOf(1);
  const words = Array.from({ length: WORDS }, (_, index) => wordOf(index));
  for (let number = 0; number < count; number += 1) {
    const slug = `${sentence(words, random, 6).replaceAll(' ', '-')}-${number}`;
    yield {
      ...{ number, slug, title: `${sentence(words, random, 6)} ${number}` },
      at: new Date(FIRST_AT + number * HOUR_MS).toISOString(),
      tags: [0, 1, 2, 3].map(() => Math.floor(random() ** 2 * TAGS)),
      author: number % AUTHORS,
      paragraphs: Array.from(
        { length: PARAGRAPHS },
        () => `${sentence(words, random, PARAGRAPH_WORDS)}.`,
      ),
    };
  }
}

/** A pronounceable word, another for each number. */
function wordOf(index: number): string {
  const syllables = 'ba ce di fo gu ha ki le mo nu pa re si to vu'.split(' ');
  let word = '';
  for (let rest = index + 15; rest > 0; rest = Math.floor(rest / 15)) {
    word += cycled(syllables, rest);
  }
  return word;
}

/** Some words are frequent, as in every language. */
function sentence(words: readonly string[], random: Random, length: number): string {
  const pick = () => cycled(words, Math.floor(random() ** 3 * WORDS));
  return Array.from({ length }, pick).join(' ');
}

function authorOf(number: number): { readonly name: string; readonly email: string } {
  return { name: `Author ${number}`, email: `author-${number}@example.org` };
}

function htmlOf({ paragraphs, slug }: Article): string {
  const image = `<figure><img src="https://example.org/${slug}.png" alt="A picture"></figure>`;
  return paragraphs
    .map((text, index) =>
      index % 3 === 0 ? `<h2>Part ${index}</h2><p>${text}</p>` : `<p>${text}</p>`,
    )
    .join(image);
}

function writeMarkdown(folder: string, articles: Iterable<Article>): Promise<string> {
  const root = join(folder, 'markdown');
  for (const { number, title, slug, at, tags, author, paragraphs } of articles) {
    const { name, email } = authorOf(author);
    const below = join(root, String(Math.floor(number / 500)));
    mkdirSync(below, { recursive: true });
    const text = paragraphs.join(
      `\n\n![A picture](https://example.org/${slug}.png)\n\n## A heading\n\n`,
    );
    const tagNames = tags.map((tag) => `tag ${tag}`).join(', ');
    writeFileSync(
      join(below, `${slug}.md`),
      `---\ntitle: ${title}\ndate: ${at}\ntags: [${tagNames}]\nauthor: ${name} <${email}>\n---\n${text}\n`,
    );
  }
  return Promise.resolve(root);
}

async function writeGhost(folder: string, articles: Iterable<Article>): Promise<string> {
  const file = join(folder, 'ghost.json');
  const out = createWriteStream(file);
  const links: string[] = [];
  out.write('{"db":[{"meta":{"version":"5.80.0"},"data":{"posts":[');
  for (const article of articles) {
    const { number, title, slug, at, tags, author } = article;
    const html = htmlOf(article);
    // Exports hold each text three times.
    const texts = { html, lexical: JSON.stringify({ root: html }), plaintext: html };
    const times = { created_at: at, updated_at: at, published_at: at };
    const post = { id: `p${number}`, uuid: `uuid-${number}`, title, slug, ...texts, ...times };
    const state = { type: 'post', status: 'published', visibility: 'public' };
    await write(out, `${number === 0 ? '' : ','}${JSON.stringify({ ...post, ...state })}`);
    links.push(JSON.stringify({ post_id: post.id, author_id: `u${author}`, sort_order: 0 }));
    for (const [order, tag] of tags.entries()) {
      links.push(JSON.stringify({ post_id: post.id, tag_id: `t${tag}`, sort_order: order }));
    }
  }
  const isOfTag = (link: string) => link.includes('tag_id');
  const tags = Array.from({ length: TAGS }, (_, tag) => ({ id: `t${tag}`, name: `tag ${tag}` }));
  const users = Array.from({ length: AUTHORS }, (_, id) => ({ id: `u${id}`, ...authorOf(id) }));
  const authors = links.filter((link) => !isOfTag(link)).join();
  out.write(`],"posts_authors":[${authors}],"posts_tags":[${links.filter(isOfTag).join()}],`);
  out.end(`"tags":${JSON.stringify(tags)},"users":${JSON.stringify(users)}}}]}`);
  await once(out, 'close');
  return file;
}

async function writeWordpress(folder: string, articles: Iterable<Article>): Promise<string> {
  const file = join(folder, 'wordpress.xml');
  const out = createWriteStream(file);
  out.write('<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>\n');
  out.write('<wp:base_blog_url>https://example.org</wp:base_blog_url>\n');
  for (let number = 0; number < AUTHORS; number += 1) {
    const { name, email } = authorOf(number);
    out.write(
      `<wp:author><wp:author_login>a${number}</wp:author_login><wp:author_email>${email}` +
        `</wp:author_email><wp:author_display_name>${name}</wp:author_display_name></wp:author>\n`,
    );
  }
  for (const article of articles) {
    const { number, title, slug, at, tags, author, paragraphs } = article;
    const time = at.slice(0, 19).replace('T', ' ');
    const terms = tags.map(
      (tag) => `<category domain="post_tag"><![CDATA[tag ${tag}]]></category>`,
    );
    await write(
      out,
      `<item><title><![CDATA[${title}]]></title><dc:creator>a${author}</dc:creator>
<content:encoded><![CDATA[${paragraphs.join('\n\n<h2>A heading</h2>\n\n')}]]></content:encoded>
<wp:post_id>${number + 1}</wp:post_id><wp:post_date_gmt>${time}</wp:post_date_gmt>
<wp:post_name>${slug}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>
${terms.join('')}</item>\n`,
    );
  }
  out.end('</channel></rss>\n');
  await once(out, 'close');
  return file;
}

async function write(out: WriteStream, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain');
}
