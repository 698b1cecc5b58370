import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import type * as native from '@node-rs/bcrypt';
import type bcryptJs from 'bcryptjs';

/**
 * Runs on the threads of PasswordHasher's pool. It imports no file of ours, so that Node runs it as
 * it is, compiled or not.
 */

const require = createRequire(import.meta.url);

/** The native module, and the one in JavaScript for where that does not load. */
export type BcryptName = '@node-rs/bcrypt' | 'bcryptjs';

/**
 * bcrypt by one of the two. A password is its bytes in UTF-8: all of them count up to the 72nd, NUL
 * as well, and none after it.
 */
export interface Bcrypt {
  readonly name: BcryptName;
  /** @returns `$2b$`, the cost, salt and digest: 60 characters */
  hash(password: Buffer, cost: number): string;
  /** @param hash `$2a$`, `$2b$` or `$2y$`, which are the same here */
  matches(password: Buffer, hash: string): boolean;
}

/** What a thread of the pool is told when it starts. */
export interface BcryptThreadData {
  readonly bcrypt: BcryptName;
}

/** @returns the one that is asked for, or bcryptjs where the native module does not load */
export function loadBcrypt(name: BcryptName = '@node-rs/bcrypt'): Bcrypt {
  if (name === 'bcryptjs') return loadBcryptJs();
  try {
    return loadNative();
  } catch {
    // No build for this platform, or installed without optional packages.
    return loadBcryptJs();
  }
}

/** @throws Error where there is no build of it for this platform */
function loadNative(): Bcrypt {
  const { hashSync, verifySync } = require('@node-rs/bcrypt') as typeof native;
  return {
    name: '@node-rs/bcrypt',
    hash: (password, cost) => hashSync(password, cost),
    matches: (password, hash) => verifySync(password, hash),
  };
}

/** It takes strings alone; text made of the bytes gives the same bytes again. */
function loadBcryptJs(): Bcrypt {
  const { hashSync, compareSync } = require('bcryptjs') as typeof bcryptJs;
  return {
    name: 'bcryptjs',
    hash: (password, cost) => hashSync(password.toString('utf8'), cost),
    matches: (password, hash) => compareSync(password.toString('utf8'), hash),
  };
}

/** Of this thread; on the main thread the one that its pool is told of. */
export const ownBcrypt = loadBcrypt((workerData as BcryptThreadData | null)?.bcrypt);

/** An empty salt and an empty digest: no password has it, and comparing takes as long as ever. */
const DECOY = '.'.repeat(53);

/**
 * Costs that exist, and salts and digests whose last character has no bit beyond their 16 and 23
 * bytes. No password matches another hash, and the native module answers for it at once, which
 * would tell that there is an account.
 */
const BCRYPT_HASH =
  /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./0-9A-Za-z]{21}[.Oeu][./0-9A-Za-z]{30}[.CGKOSWaeimquy26]$/;

export interface Comparison {
  readonly password: string;
  /** What is stored; null when there is no account. */
  readonly hash: string | null;
  /** Today's cost. */
  readonly cost: number;
}

/**
 * Whether the password is the one that was hashed. A failure costs 2^cost rounds whatever is
 * stored, so that its time tells nothing: no account and what is no hash are compared with a
 * decoy, and a hash of lower cost is followed by decoys whose rounds add up to the rest.
 */
export function compare({ password, hash, cost }: Comparison, bcrypt = ownBcrypt): boolean {
  const bytes = bytesOf(password);
  const storedCost = costOf(hash);
  if (hash !== null && storedCost !== null && bcrypt.matches(bytes, hash)) return true;
  for (const decoyCost of missingCosts(storedCost, cost)) {
    bcrypt.matches(bytes, `$2b$${String(decoyCost).padStart(2, '0')}$${DECOY}`);
  }
  return false;
}

/** @returns a hash in the form `$2b$…` */
export function hash(
  { password, cost }: { password: string; cost: number },
  bcrypt = ownBcrypt,
): string {
  return bcrypt.hash(bytesOf(password), cost);
}

/** @returns what computes bcrypt on this thread, which is there now */
export function wake(): BcryptName {
  return ownBcrypt.name;
}

const COMMON_PASSWORDS = 3_000;
/** Shorter ones are refused for their length. */
const MIN_LENGTH = 8;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** Whether it is among the 3,000 most common passwords that are long enough, case aside. */
export async function isCommon(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords();
  return (await commonPasswords).has(password.toLowerCase());
}

/** Read here, with the first new password: the whole list takes 20 MB, and 50 ms to unpack. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const byRank = dictionary['passwords-common'];
  const longEnough = byRank.filter((password) => password.length >= MIN_LENGTH);
  return new Set(longEnough.slice(0, COMMON_PASSWORDS));
}

/** Half a surrogate pair becomes U+FFFD here, before the two libraries can differ about it. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password, 'utf8');
}

/** @returns the cost of a bcrypt hash, 4 to 31; null for anything else */
export function costOf(hash: string | null): number | null {
  const cost = BCRYPT_HASH.exec(hash ?? '')?.[1];
  return cost === undefined ? null : Number(cost);
}

/** 2^c + (2^c + 2^(c+1) + … + 2^(cost-1)) is 2^cost. */
function missingCosts(stored: number | null, cost: number): number[] {
  if (stored === null) return [cost];
  return Array.from({ length: Math.max(0, cost - stored) }, (_, index) => stored + index);
}
