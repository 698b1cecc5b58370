import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { openFiles } from './source-files.js';

/** What a path holds, by the command that imports it. */
const KINDS = {
  markdown: 'a folder of Markdown',
  ghost: 'an export of Ghost',
  wordpress: 'an export of WordPress',
  medium: 'an export of Medium',
  substack: 'an export of Substack',
  pressroom: 'an export of Pressroom',
} as const;

export type SourceKind = keyof typeof KINDS;

/** Number of bytes that tell what a file is. */
const HEAD = 64 * 1_024;

/**
 * Checks that a path holds what a command imports.
 *
 * @throws OperatorError when it is something else that is known, which the message says
 */
export async function expectKind(path: string, wanted: SourceKind): Promise<void> {
  const found = await kindOf(path).catch(() => null);
  const isUnpacked = found === 'markdown' && (wanted === 'medium' || wanted === 'substack');
  if (found === null || found === wanted || isUnpacked) return;
  if (found in KINDS) {
    const kind = found as SourceKind;
    throw new OperatorError(`${path} is ${KINDS[kind]}: use "pressroom import ${kind}".`);
  }
  throw new OperatorError(`${path} is ${found}, not ${KINDS[wanted]}.`);
}

/** @returns the kind, or what else it is; null for something unknown. Any other folder may hold Markdown. */
async function kindOf(path: string): Promise<string | null> {
  const stats = await stat(path);
  if (stats.isDirectory()) return kindOfFolder(path);
  if (!stats.isFile()) return null;
  const head = await headOf(path);
  if (head.startsWith('PK\u0003\u0004')) return kindOfZip(path);
  if (head.startsWith('\u001f\u008b'))
    return 'a compressed file: a backup, which "pressroom restore" reads, or one to unpack';
  const text = head.replace(/^\u00ef\u00bb\u00bf/, '').trimStart();
  if (text.startsWith('<')) return kindOfMarkup(text);
  if (/^\{\s*"(?:format"\s*:\s*"pressroom|collection"\s*:)/.test(text)) return 'pressroom';
  if (/^[[{]/.test(text)) return isGhost(text) ? 'ghost' : null;
  return /^(?:---|\+\+\+)\s*\n/.test(text)
    ? 'a Markdown file: name the folder that holds it'
    : null;
}

async function kindOfFolder(path: string): Promise<string> {
  const names = await readdir(path);
  if (names.includes('posts.csv')) return 'substack';
  const posts = names.includes('posts') ? await readdir(join(path, 'posts')) : [];
  const hasProfile = names.includes('profile') && posts.some((name) => name.endsWith('.html'));
  return hasProfile ? 'medium' : 'markdown';
}

async function kindOfZip(path: string): Promise<string> {
  const files = await openFiles(path);
  files.close();
  const has = (pattern: RegExp): boolean => files.paths.some((name) => pattern.test(name));
  if (has(/(?:^|\/)posts\.csv$/)) return 'substack';
  if (has(/(?:^|\/)posts\/[^/]+\.html$/)) return 'medium';
  const isOfGhost = has(/(?:^|\/)content\/images\//) && has(/\.json$/);
  return isOfGhost ? 'ghost' : 'a zip of something else: unpack it';
}

function kindOfMarkup(text: string): string {
  if (/wordpress\.org\/export\/|<wp:/.test(text)) return 'wordpress';
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<(?:rss|feed|rdf:RDF)\b/i.test(text))
    return 'a feed';
  return /^<(?:!doctype\s+html|html)\b/i.test(text) ? 'a page of HTML' : 'XML of something else';
}

function isGhost(text: string): boolean {
  return /"(?:db|data)"\s*:/.test(text) && /"(?:meta|posts|version|exported_on)"\s*:/.test(text);
}

async function headOf(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
