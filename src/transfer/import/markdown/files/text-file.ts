import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Refusal } from '../../articles/imported-article.js';

/** Largest file that is read, in bytes. The longest text of an article is shorter. */
const FILE_MAX = 5_000_000;

/** A file that is no regular one, such as a pipe, is opened without waiting for what it would send. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Reads a file of text in UTF-8, or in UTF-16 with a byte order mark.
 *
 * @returns the text, or why it cannot be read
 */
export async function readTextFile(path: string): Promise<string | Refusal> {
  try {
    await using file = await open(path, FLAGS);
    const status = await file.stat();
    if (!status.isFile()) return { reason: 'it is no regular file' };
    if (status.size > FILE_MAX) return { reason: `it has more than ${FILE_MAX} bytes` };
    return decodeText(await file.readFile());
  } catch (error) {
    return { reason: `it cannot be read: ${(error as Error).message}` };
  }
}

export function decodeText(bytes: Uint8Array): string | Refusal {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? { reason: 'it holds NUL characters: it is no text' } : text;
  } catch {
    return { reason: 'it is not in UTF-8: convert it first, such as by iconv' };
  }
}
