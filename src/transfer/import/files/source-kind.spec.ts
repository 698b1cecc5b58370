import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { expectKind, type SourceKind } from './source-kind.js';

const fileWith = async (text: string | Buffer): Promise<string> => {
  const path = join(await mkdtemp(join(tmpdir(), 'pressroom-kind-')), 'file');
  await writeFile(path, text);
  return path;
};

const GHOST = '{"db":[{"meta":{"version":"5"},"data":{"posts":[]}}]}';
const WXR =
  '<?xml version="1.0"?>\n<!-- generator="WordPress" -->\n<rss xmlns:wp="http://wordpress.org/export/1.2/">';
const PRESSROOM = '{"format":"pressroom-export","version":1}\n';

describe('expectKind', () => {
  it.each<[SourceKind, string | Buffer, string]>([
    ['ghost', WXR, 'is an export of WordPress: use "pressroom import wordpress"'],
    ['pressroom', WXR, 'is an export of WordPress: use "pressroom import wordpress"'],
    ['wordpress', GHOST, 'is an export of Ghost: use "pressroom import ghost"'],
    ['substack', `\uFEFF ${GHOST}`, 'is an export of Ghost: use "pressroom import ghost"'],
    ['ghost', PRESSROOM, 'is an export of Pressroom: use "pressroom import pressroom"'],
    ['wordpress', '<rss version="2.0"><channel>', 'is a feed, not an export of WordPress'],
    ['medium', '<!DOCTYPE html><html>', 'is a page of HTML, not an export of Medium'],
    ['ghost', '---\ntitle: A\n---\n', 'name the folder'],
    ['pressroom', Buffer.from([0x1f, 0x8b, 8, 0]), 'pressroom restore'],
  ])('should say what is no %s: %s', async (wanted, content, message) => {
    await expect(expectKind(await fileWith(content), wanted)).rejects.toThrow(message);
  });

  it.each<[SourceKind, string]>([
    ['wordpress', WXR],
    ['ghost', GHOST],
    ['pressroom', PRESSROOM],
    ['pressroom', 'anything'],
    ['ghost', ''],
  ])('should leave the rest to the reader: %s', async (wanted, content) => {
    await expect(expectKind(await fileWith(content), wanted)).resolves.toBeUndefined();
  });

  it('should know a folder from a file', async () => {
    const message = 'is a folder of Markdown: use "pressroom import markdown"';
    await expect(expectKind(tmpdir(), 'ghost')).rejects.toThrow(message);
    await expect(expectKind(await fileWith(GHOST), 'markdown')).rejects.toThrow('export of Ghost');
    await expect(expectKind('/no/such/file', 'ghost')).resolves.toBeUndefined();
  });
});
