import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { PLAIN_DRAFT, type ArticleSource, type SourceItem } from '../articles/imported-article.js';
import { openMedium } from './medium-source.js';
import { openSubstack } from './substack-source.js';

const EXAMPLES = 'examples/moving';
const OPTIONS = { baseUrl: null, pages: false };

interface ZipFile {
  readonly name: string;
  readonly text: string;
  /** The size that the zip claims; by default the true one. */
  readonly size?: number;
}

/** Writes a zip, with wrong sizes if asked to. */
async function zipOf(files: readonly ZipFile[]): Promise<string> {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  for (const { name, text, size = Buffer.byteLength(text) } of files) {
    const data = deflateRawSync(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(text), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const offset = Buffer.alloc(4);
    offset.writeUInt32LE(Buffer.concat(locals).length);
    locals.push(Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), data);
    const rest = Buffer.concat([Buffer.alloc(10), offset]);
    entries.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, rest, Buffer.from(name));
  }
  const [local, directory] = [Buffer.concat(locals), Buffer.concat(entries)];
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  const path = join(await mkdtemp(join(tmpdir(), 'pressroom-zip-')), 'export.zip');
  await writeFile(path, Buffer.concat([local, directory, end]));
  return path;
}

async function itemsOf(source: ArticleSource): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const item of source.items()) items.push(item);
  return items;
}

describe('an export of Medium', () => {
  it('should be read, without the title that the text repeats', async () => {
    const [item] = await itemsOf(await openMedium(`${EXAMPLES}/medium`));
    expect(item).toMatchObject({
      article: {
        identity: 'medium 0f1e2d3c4b5a',
        title: 'Paper that lasts',
        description: 'Rag, alum and patience.',
        slug: 'paper-that-lasts',
        hidden: null,
        publishedAt: new Date('2024-02-10T09:00:00Z'),
        authors: [{ key: 'ottilie', name: 'Ottilie', email: null }],
        html: expect.not.stringMatching(/<h3|<hr/),
      },
    });
  });

  it('should be read from a zip: drafts, replies, and what is no article', async () => {
    const body = (html: string): string =>
      `<h1 class="p-name">A</h1><section class="e-content">${html}</section>`;
    const published = '<time class="dt-published" datetime="2024-01-01T00:00:00Z"></time>';
    const path = await zipOf([
      { name: 'posts/draft_A-0123456789ab.html', text: `${body('<p>a</p>')}${published}` },
      { name: 'posts/2024-01-01_reply-0123456789ac.html', text: `${body('<p>b</p>')}${published}` },
      { name: 'posts/other.html', text: '<p>c</p>' },
      { name: 'profile/profile.html', text: '' },
    ]);
    expect(await itemsOf(await openMedium(path))).toMatchObject([
      { article: { hidden: expect.stringContaining('reply') } },
      { article: { hidden: PLAIN_DRAFT } },
      { skipped: { source: 'other.html' } },
    ]);
  });
});

describe('the address of an article of Medium', () => {
  it('should be read in linear time', async () => {
    const path = await zipOf([
      {
        name: 'posts/a.html',
        text: `<a class="p-canonical" href="${'/aaaaaaaa?'.repeat(40_000)}\n"></a><div class="e-content">a</div>`,
      },
    ]);
    const start = performance.now();
    expect(await itemsOf(await openMedium(path))).toMatchObject([{ article: { html: 'a' } }]);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

describe('an export of Substack', () => {
  it('should be read, without what is for subscribers', async () => {
    expect(await itemsOf(await openSubstack(`${EXAMPLES}/substack`, OPTIONS))).toMatchObject([
      {
        article: {
          identity: 'substack 101',
          title: 'Ink by the litre',
          description: 'Soot, oil and a pan.',
          slug: 'ink-by-the-litre',
          html: '<p>Boil the oil outside.</p>',
          hidden: null,
        },
      },
      { article: { hidden: PLAIN_DRAFT } },
    ]);
  });

  it.each([
    ['newsletter,everyone', 'FALSE', PLAIN_DRAFT],
    ['newsletter,founding', 'true', 'only for "founding" there'],
    ['newsletter,only_free', 'true', 'only for "only_free" there'],
    ['thread,everyone', 'true', 'it is a thread of comments'],
    ['podcast,everyone', 'TRUE', null],
  ])('should be hidden or not: %s, published %s', async (kind, isPublished, hidden) => {
    const head = 'post_id,type,audience,is_published,title,podcast_url';
    const path = await zipOf([
      {
        name: 'a/posts.csv',
        text: `${head}\n1.a,${kind},${isPublished},A,https://a.example/a.mp3`,
      },
      { name: 'a/posts/1.a.html', text: '<p>a</p>' },
    ]);
    const [item] = await itemsOf(await openSubstack(path, OPTIONS));
    expect(item).toMatchObject({
      article: {
        hidden,
        html: expect.stringContaining('<audio controls src="https://a.example/a.mp3">'),
      },
    });
  });

  it('should be contained: files that are missing, too large, or larger than they claim', async () => {
    const path = await zipOf([
      { name: 'posts.csv', text: 'post_id,is_published\n1.a,true\n2.b,true\n3.c,true\n4.d,true' },
      { name: 'posts/2.b.html', text: '0'.repeat(9 * 1024 * 1024) },
      { name: 'posts/3.c.html', text: '0'.repeat(1_000_000), size: 10 },
      { name: 'posts/4.d.html', text: '<p>d</p>' },
    ]);
    expect(await itemsOf(await openSubstack(path, OPTIONS))).toMatchObject([
      { skipped: { source: '1.a', reason: 'it is not in the file' } },
      { skipped: { source: '2.b', reason: 'it is larger than 8 MiB' } },
      { skipped: { source: '3.c', reason: expect.stringContaining('cannot be unpacked') } },
      { article: { html: '<p>d</p>' } },
    ]);
  });

  it('should be contained in its folder', async () => {
    const root = await mkdtemp(join(tmpdir(), 'pressroom-folder-'));
    const folder = join(root, 'export');
    await mkdir(join(folder, 'posts'), { recursive: true });
    const rows = ['post_id,is_published', '1.a,true', '../../secret,true', '2.b,true'];
    await writeFile(join(folder, 'posts.csv'), rows.join('\n'));
    await writeFile(join(root, 'secret.html'), '<p>secret</p>');
    await writeFile(join(folder, 'posts', '2.b.html'), '<p>b</p>');
    expect(await itemsOf(await openSubstack(folder, OPTIONS))).toMatchObject([
      { skipped: { source: '1.a', reason: 'it is not in the folder' } },
      { skipped: { source: '../../secret', reason: 'it is not in the folder' } },
      { article: { html: '<p>b</p>' } },
    ]);
  });

  it.each(['../posts.csv', '/etc/posts.csv', 'a\\..\\posts.csv'])(
    'should be refused if it holds the path %s',
    async (name) => {
      const path = await zipOf([{ name, text: 'post_id' }]);
      await expect(openSubstack(path, OPTIONS)).rejects.toThrow(/cannot be read|no export/);
    },
  );
});
