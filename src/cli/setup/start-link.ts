import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSecret } from '../../platform/config/data-dir.js';
import type { Env } from '../../platform/config/env.js';

const FILE = 'start-link.json';

/** Milliseconds for which a link can be opened. */
const VALID_MS = 600_000;

/** The link that can be opened at present, as the data folder keeps it. */
interface StoredLink {
  /** SHA-256 of the token, in hex. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Whether the start page can show secrets at all: they are those of the data folder of an embedded database. */
export function hasStartLink({
  NODE_ENV,
  MONGODB_URI,
}: Pick<Env, 'NODE_ENV' | 'MONGODB_URI'>): boolean {
  return NODE_ENV !== 'production' && MONGODB_URI === undefined;
}

/**
 * Makes a link that opens the start page with the secrets of the data folder, once. It replaces the link before. Its
 * token is in the fragment, which no browser sends and no proxy sees. The data folder holds its hash, so that any
 * worker can open the link.
 *
 * @param url URL of the server
 */
export async function makeStartLink(dataDir: string, url: string): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const link: StoredLink = { hash: hashOf(token), expiresAt: Date.now() + VALID_MS };
  const temporary = join(dataDir, `.${FILE}.${process.pid}`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, `${JSON.stringify(link)}\n`, { mode: 0o600 });
    await rename(temporary, join(dataDir, FILE));
  } finally {
    await rm(temporary, { force: true });
  }
  return `${url}/#link=${token}`;
}

/**
 * Opens a link.
 *
 * @returns false when the token is not that of the present link, or the link is too old or was opened before
 */
export async function openStartLink(dataDir: string, token: string): Promise<boolean> {
  const { hash, expiresAt } = parse(await readSecret(dataDir, FILE));
  const isRight = timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(hash));
  if (!isRight || !(Date.now() < expiresAt)) return false;
  // Only one of several requests with the token removes the file.
  return unlink(join(dataDir, FILE)).then(
    () => true,
    () => false,
  );
}

/** The stored link; for a missing or damaged file, one that no token opens. */
function parse(text: string | null): StoredLink {
  try {
    const link = JSON.parse(text ?? '') as Partial<StoredLink> | null;
    const { hash = '', expiresAt = 0 } = link ?? {};
    if (/^[0-9a-f]{64}$/.test(hash)) return { hash, expiresAt };
  } catch {
    // The file is damaged.
  }
  return { hash: '0'.repeat(64), expiresAt: 0 };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
